import type { TemplateKind } from '@opensocial/contract';
import {
  fillAddress,
  fillAttribute,
  fillText,
  type MailValues,
  mailDocument,
  plainText,
} from '@opensocial/contract/mail';
import { type Element, type Node, type Root, writeHtml } from '../markup/html.ts';
import { readMailMarkup } from './mail-markup.ts';
import type { Mail } from './mailer.ts';

/**
 * Builds a mail from the markup of a template and the values of its tags. The markup is checked again on every send: it
 * may have been stored under other rules, and PUBLIC_URL may have changed since.
 */
export const composeMail = (
  kind: TemplateKind,
  subject: string,
  html: string,
  values: MailValues,
): Omit<Mail, 'to'> => {
  const { tree } = readMailMarkup(html, kind, values.signup_from);
  fillTree(tree, values);
  const line = oneLine(subject);
  return { subject: line, text: plainText(tree), html: mailDocument(line, writeHtml(tree)) };
};

const fillTree = (parent: Root | Element, values: MailValues): void => {
  for (const child of parent.children as Node[]) {
    if (child.type === 'text') child.value = fillText(child.value, values);
    if (child.type !== 'element') continue;
    for (const name of ['alt', 'title', 'href']) {
      const value = child.properties[name];
      if (typeof value === 'string')
        child.properties[name] = name === 'href' ? fillAddress(value, values) : fillAttribute(value, values);
    }
    fillTree(child, values);
  }
};

/** Values such as names are part of a subject. They can neither end its line nor turn the direction of the rest. */
const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\u2028-\u202e\u2066-\u2069]+/gu, ' ').trim();
