/** All paths are relative to `root` and sorted: the programs, their modules and the files or folders that they read, and packages as paths in node_modules. */
export function productionFiles(root: string): { programs: string[]; files: string[]; packages: string[] };
