import { SamlError } from '../errors.ts';
import { type Element, optionalAttribute, requiredAttribute } from './xml-reader.ts';

const dateTime = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,12})?)(Z|[+-]\d\d:\d\d)?$/;

const unreadable = (element: Element, name: string) =>
  new SamlError('message_unexpected', { detail: `The ${name} of ${element.localName} cannot be read.` });

/** SAML requires UTC. A time without a zone is read as UTC too. */
const parseInstant = (value: string): Date | undefined => {
  const [, local, zone] = dateTime.exec(value) ?? [];
  const date = new Date(`${local}${zone ?? 'Z'}`);
  return local === undefined || Number.isNaN(date.getTime()) ? undefined : date;
};

export const optionalInstant = (element: Element, name: string): Date | undefined => {
  const value = optionalAttribute(element, name);
  if (value === undefined) return undefined;
  const instant = parseInstant(value);
  if (!instant) throw unreadable(element, name);
  return instant;
};

export const requiredInstant = (element: Element, name: string): Date => {
  const instant = parseInstant(requiredAttribute(element, name));
  if (!instant) throw unreadable(element, name);
  return instant;
};

export const flagAttribute = (element: Element, name: string): boolean => {
  const value = optionalAttribute(element, name) ?? 'false';
  if (!['true', 'false', '1', '0'].includes(value)) throw unreadable(element, name);
  return value === 'true' || value === '1';
};

export const optionalIndex = (element: Element, name: string): number | undefined => {
  const value = optionalAttribute(element, name);
  if (value === undefined) return undefined;
  if (!/^\d{1,5}$/.test(value)) throw unreadable(element, name);
  return Number(value);
};
