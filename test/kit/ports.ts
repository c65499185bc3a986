export { PLATFORM_PORTS, freePorts } from '#platform/free-ports.ts';
