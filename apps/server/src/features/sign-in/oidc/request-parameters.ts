/** The parameters of an authorization request. */
export type RequestParameters = { [name: string]: unknown };

export const textOf = (parameters: RequestParameters, name: string): string | undefined => {
  const value = parameters[name];
  return typeof value === 'string' ? value : undefined;
};
