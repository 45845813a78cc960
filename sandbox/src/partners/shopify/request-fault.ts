/** A request that is refused as a whole, with the platform's own code. */
export class RequestFault extends Error {
  readonly extensions: Record<string, unknown>;
  readonly path: string[] | null;

  constructor(message: string, extensions: Record<string, unknown> = {}, path: string[] | null = null) {
    super(message);
    this.extensions = extensions;
    this.path = path;
  }
}
