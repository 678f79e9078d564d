import { Element as XmldomElement } from '@xmldom/xmldom';

const isDomElement = (value: unknown): value is globalThis.Element => value instanceof XmldomElement;

/** xml-crypto is typed for the browser's DOM but only walks the nodes, so elements of xmldom work as well. */
export const toDomElement = (element: unknown): globalThis.Element => {
  if (!isDomElement(element)) throw new TypeError('Expected an element of xmldom.');
  return element;
};
