// Starts `egress` from the sources, which only a Node runs that reads TypeScript. The built package needs Node 20.3.
const NEEDED = [22, 18];
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])) {
  await import('./egress-command.ts');
} else {
  process.stderr.write(
    `egress: from the sources it needs Node ${NEEDED.join('.')} or newer, and this is ${process.versions.node}.\n` +
      '  The built package runs here: npm pack ./rest-adapter/command-line, then npm install -g the file that it has made.\n',
  );
  process.exitCode = 2;
}
