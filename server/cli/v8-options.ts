import { setFlagsFromString } from 'node:v8'

/**
 * Sets V8's options of a process that serves. They are set here because `NODE_OPTIONS` does not
 * accept them, and once the modules are loaded, because Node caches compiled code for the options
 * under which it was compiled.
 */
export function setV8Options(): void {
  // V8 creates objects in the old generation where many of the same origin survived. Such an object
  // of a request keeps all that it refers to until a full collection, when the request is long over:
  // up to a third of the processor time was garbage collection.
  setFlagsFromString('--no-allocation-site-pretenuring')
  // The old generation may grow by half before it is collected. It would grow to three times the
  // memory under load.
  setFlagsFromString('--heap-growing-percent=50')
}
