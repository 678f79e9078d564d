import { expect, test } from 'vitest';
import { formatXml } from './format-xml.ts';

test('an element whose name begins with that of its parent does not take the closing tag of the parent', () => {
  expect(formatXml('<Attribute Name="a"><AttributeValue>1</AttributeValue></Attribute>')).toBe(
    ['<Attribute Name="a">', '  <AttributeValue>1</AttributeValue>', '</Attribute>'].join('\n'),
  );
});

test('declarations and comments do not indent what follows', () => {
  expect(formatXml('<?xml version="1.0"?><a><!-- x --><b/><c></c></a>')).toBe(
    ['<?xml version="1.0"?>', '<a>', '  <!-- x -->', '  <b/>', '  <c></c>', '</a>'].join('\n'),
  );
});

test('an element in one of the same name keeps its own closing tag', () => {
  expect(formatXml('<a><a></a></a>')).toBe(['<a>', '  <a></a>', '</a>'].join('\n'));
});

test('the indentation of the sender is replaced, and single quotes may contain a bracket', () => {
  expect(formatXml("\n<a x='1>\"2'>\n\n      <b>1</b>\n</a>\n")).toBe(
    ["<a x='1>\"2'>", '  <b>1</b>', '</a>'].join('\n'),
  );
});

test('text that is no XML is not refused', () => {
  expect(formatXml('</a></b></c>')).toBe(['</a>', '</b>', '</c>'].join('\n'));
});
