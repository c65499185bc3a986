/** A vendor did not answer, or said no: nobody knows whether it happened. Look, then ask again. */
export class VendorTrouble extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}
