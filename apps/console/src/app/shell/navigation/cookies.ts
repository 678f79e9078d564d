/** Cookies for the state of the console. The server never reads them. */
export const readCookie = (name: string): string | undefined =>
  document.cookie
    .split('; ')
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1);

const oneYear = 31_536_000;

export const writeCookie = (name: string, value: string): void => {
  // oxlint-disable-next-line unicorn/no-document-cookie -- the Cookie Store API is not in every browser yet
  document.cookie = `${name}=${value}; path=/; max-age=${oneYear}; samesite=lax`;
};
