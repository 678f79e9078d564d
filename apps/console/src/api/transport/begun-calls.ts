declare global {
  // oxlint-disable-next-line no-var -- only `var` declares a property of the global object
  var begunCalls: Map<string, Promise<Response>> | undefined;
}

/** The response of a call that boot.ts has begun. It is used once: a later call asks the server again. */
export const takeBegunCall = (path: RequestInfo | URL): Promise<Response> | undefined => {
  if (typeof path !== 'string') return undefined;
  const response = globalThis.begunCalls?.get(path);
  globalThis.begunCalls?.delete(path);
  return response;
};
