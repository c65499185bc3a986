/** What a controller measures; null: it does not measure this. Shares are 0 to 1. */
export interface BareMetalReadings {
  cpuShare: number | null;
  memoryShare: number | null;
  diskShare: number | null;
  receivedBytes: number | null;
  sentBytes: number | null;
  watts: number | null;
  inletCelsius: number | null;
}
