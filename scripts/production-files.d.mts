/** From `root`, in order: what is started, the modules and what they read (files or folders), and the packages as paths in node_modules. */
export function productionFiles(root: string): { programs: string[]; files: string[]; packages: string[] };
