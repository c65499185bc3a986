/** A vendor's system did not answer, or refused. It is then unknown whether the action happened: inspect, then try again. */
export class VendorTrouble extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}
