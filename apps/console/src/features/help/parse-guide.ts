import { lexer, type Token, type Tokens } from 'marked';
import type { Guide, GuideBlock, GuideSpan } from './guide.ts';

/**
 * Converts the Markdown of the guide to data, when the console is built. The screen renders the data with its own elements, so that no
 * markup of the file reaches a page. Everything that the screen does not know, such as HTML, fails the build.
 */
export const parseGuide = (markdown: string): Guide => {
  const [first, ...rest] = lexer(markdown).filter(({ type }) => type !== 'space');
  if (first?.type !== 'heading' || first['depth'] !== 1) throw new Error('The guide has to begin with its title.');
  return { title: textOf(first as Tokens.Heading), blocks: rest.map(toBlock) };
};

const toBlock = (token: Token): GuideBlock => {
  const known = token as Tokens.Heading | Tokens.Paragraph | Tokens.List | Tokens.Table;
  switch (known.type) {
    case 'heading': {
      const text = textOf(known);
      if (known.depth !== 2 && known.depth !== 3) throw unknown(known);
      return { kind: 'heading', level: known.depth, id: anchorOf(text), text };
    }
    case 'paragraph':
      return { kind: 'paragraph', spans: known.tokens.map(toSpan) };
    case 'list':
      return { kind: 'list', isOrdered: known.ordered, items: known.items.map(toItem) };
    case 'table':
      return { kind: 'table', head: known.header.map(toCell), rows: known.rows.map((row) => row.map(toCell)) };
    default:
      throw unknown(token);
  }
};

const toCell = ({ tokens }: Tokens.TableCell): GuideSpan[] => tokens.map(toSpan);

/** An item has one paragraph. */
const toItem = (item: Tokens.ListItem): GuideSpan[] => {
  const [content, ...more] = item.tokens;
  const isText = content?.type === 'text' || content?.type === 'paragraph';
  if (!isText || more.length > 0 || item.task) throw unknown(item);
  return (content as Tokens.Paragraph).tokens.map(toSpan);
};

const toSpan = (token: Token): GuideSpan => {
  const known = token as Tokens.Text | Tokens.Escape | Tokens.Strong | Tokens.Codespan | Tokens.Link;
  switch (known.type) {
    case 'text':
    case 'escape':
      return { kind: 'text', text: known.text };
    case 'strong':
      return { kind: 'name', text: textOf(known).replaceAll(/\s+/g, ' ') };
    case 'codespan':
      return { kind: 'code', text: known.text };
    case 'link':
      if (!/^(?:#|https:\/\/)/.test(known.href)) throw unknown(known);
      return { kind: 'link', text: textOf(known), href: known.href };
    default:
      throw unknown(token);
  }
};

/** The text of a token that contains nothing but text. */
const textOf = ({ tokens, raw }: { tokens: Token[]; raw: string }): string => {
  if (tokens.some(({ type }) => type !== 'text' && type !== 'escape')) throw unknown({ type: 'markup', raw });
  return tokens.map((token) => (token as Tokens.Text).text).join('');
};

const unknown = ({ type, raw }: { type: string; raw: string }): Error =>
  new Error(`The guide cannot contain this ${type}: ${raw.trim()}`);

/** The anchor of a heading, as GitHub makes it, so that the same links work there. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
