// How clusters of the hypervisor, their nodes and their tasks are named. Nodes of different clusters may have the same name, so those of every cluster but the
// first are named with it: `vienna/pve1`.

/** The cluster that the settings name. Its nodes and tasks have no prefix, as in the time when there was no other. */
export const MAIN = 'main';

const PREFIX = /^([a-z0-9-]+)\/(.*)$/s;

/** What the hypervisor of a cluster is called in figures, alarms and findings. */
export const vendorOf = (cluster: string): string => (cluster === MAIN ? 'hypervisor' : `hypervisor/${cluster}`);

/** Spec, What the service does: where servers are, unless the operator says otherwise. */
const USUAL_LOCATION = 'Frankfurt';

/** What customers call the place of a cluster. Several clusters may be at one. */
export const locationOf = ({ location }: { location: string }): string => location || USUAL_LOCATION;

/** What the names of new clusters look like. */
export const CLUSTER_NAME = /^(?!main$)(?=.{1,32}$)[a-z0-9]+(-[a-z0-9]+)*$/;

/** The cluster of a node or a task. */
export const clusterOf = (qualified: string): string => PREFIX.exec(qualified)?.[1] ?? MAIN;

/** Its name within its cluster. */
export const withinCluster = (qualified: string): string => PREFIX.exec(qualified)?.[2] ?? qualified;

/** Its name among all clusters. */
export const qualify = (cluster: string, name: string): string => (cluster === MAIN ? name : `${cluster}/${name}`);
