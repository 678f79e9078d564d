/** Lets the browser save a text as a file. */
export const downloadText = (text: string, name: string, type = 'text/plain'): void => {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  link.click();
  URL.revokeObjectURL(address);
};
