import { type Element, optionalAttribute, textOf } from '../xml/xml-reader.ts';
import { element, type XmlElement } from '../xml/xml-writer.ts';

export type NameId = {
  value: string;
  format: string;
  nameQualifier?: string | undefined;
  spNameQualifier?: string | undefined;
};

export type ReceivedNameId = { nameId: string; nameIdFormat: string | undefined };

export const nameIdElement = ({ value, format, nameQualifier, spNameQualifier }: NameId): XmlElement =>
  element('saml:NameID', { Format: format, NameQualifier: nameQualifier, SPNameQualifier: spNameQualifier }, [value]);

export const readNameId = (nameId: Element): ReceivedNameId => ({
  nameId: textOf(nameId),
  nameIdFormat: optionalAttribute(nameId, 'Format'),
});
