import { type DesignNode, defaultDesigns, menuTagsOf, setPasswordAddress } from '@opensocial/contract/mail';
import { Editor, type JSONContent } from '@tiptap/core';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { BlockKeys, blockAction } from './document/block-keys.ts';
import {
  addBlock,
  allBlocks,
  blockName,
  currentBlock,
  deleteBlock,
  duplicateBlock,
  type FoundBlock,
  moveBlock,
  placeBeside,
  placesFor,
  setBlock,
  setColumnCount,
} from './document/block-model.ts';
import { leaveByEnter } from './document/leaving.ts';
import { mailExtensions } from './document/mail-schema.ts';
import { readSaved } from './document/saved-design.ts';
import { markGesture, UndoSteps } from './document/undo-steps.ts';
import { lowestContrast } from './inspector/contrast.ts';
import { insertTag } from './suggestions/suggestions.ts';

const origin = 'https://sso.example.org';
const text = (words: string, attrs: object = {}): JSONContent => ({
  type: 'paragraph',
  attrs: { ...attrs },
  content: [{ type: 'text', text: words }],
});
const columns = (...content: JSONContent[][]): JSONContent => ({
  type: 'columns',
  content: content.map((blocks) => ({ type: 'column', content: blocks })),
});
const section = (...content: JSONContent[]): JSONContent => ({ type: 'section', content });

let editor: Editor;
const open = (...content: JSONContent[]): Editor => {
  editor = new Editor({
    injectCSS: false,
    extensions: [...mailExtensions(origin), UndoSteps, BlockKeys],
    content: { type: 'doc', content },
  });
  return editor;
};
afterEach(() => editor.destroy());

const json = () => editor.getJSON();
const blockOf = (words: string): FoundBlock => {
  const found = allBlocks(editor.state.doc).findLast(({ node }) => node.textContent === words);
  if (!found) throw new Error(`No block says ${words}`);
  return found;
};
const change = (act: (tr: typeof editor.state.tr) => unknown) => {
  const { tr } = editor.state;
  act(tr);
  editor.view.dispatch(tr);
  editor.state.doc.check();
};
/** The mail as its blocks, one string for each, with brackets around what sections and columns hold. */
const outline = (node = editor.state.doc): string =>
  node.children
    .map((child) =>
      ['section', 'columns', 'column'].includes(child.type.name)
        ? `${child.type.name[0]}[${outline(child)}]`
        : child.textContent,
    )
    .join(' ');

describe('§2.11 email editor: blocks', () => {
  test('move up and down, into and out of sections and columns, and back the same way', () => {
    open(text('a'), section(text('b')), columns([text('c')], [text('d')]), text('e'));
    const seen = [outline()];
    for (;;) {
      const place = placeBeside(editor.state.doc, blockOf('a'), 1);
      if (place === undefined) break;
      change((tr) => moveBlock(tr, blockOf('a'), place));
      seen.push(outline());
    }
    expect(seen).toEqual([
      'a s[b] c[c[c] c[d]] e',
      's[a b] c[c[c] c[d]] e',
      's[b a] c[c[c] c[d]] e',
      's[b] a c[c[c] c[d]] e',
      's[b] c[c[a c] c[d]] e',
      's[b] c[c[c a] c[d]] e',
      's[b] c[c[c] c[a d]] e',
      's[b] c[c[c] c[d a]] e',
      's[b] c[c[c] c[d]] a e',
      's[b] c[c[c] c[d]] e a',
    ]);
    for (const before of seen.toReversed().slice(1)) {
      change((tr) => blockAction(tr, blockOf('a'), 'up'));
      expect(outline()).toBe(before);
    }
    expect(placeBeside(editor.state.doc, blockOf('a'), -1)).toBeUndefined();
  });

  test('sections stay at the top level, and columns are not nested', () => {
    open(text('a'), section(text('b')), columns([text('c')], [text('d')]));
    const [, held, , cols] = allBlocks(editor.state.doc);
    const depths = (block: FoundBlock) =>
      placesFor(editor.state.doc, block).map((place) => editor.state.doc.resolve(place).parent.type.name);
    expect(held && new Set(depths(held))).toEqual(new Set(['doc']));
    expect(cols && new Set(depths(cols))).toEqual(new Set(['doc', 'section']));
  });

  test('removing the only block of a section leaves an empty line', () => {
    open(section(text('a')), text('b'));
    change((tr) => blockAction(tr, blockOf('a'), 'up'));
    expect(outline()).toBe('a s[] b');
    change((tr) => deleteBlock(tr, blockOf('a')));
    change((tr) => deleteBlock(tr, blockOf('b')));
    change((tr) => deleteBlock(tr, allBlocks(editor.state.doc)[0] as FoundBlock));
    expect(json()).toMatchObject({ content: [{ type: 'paragraph' }] });
  });

  test('are duplicated with their settings, and the copy is the current block', () => {
    open(text('a', { ink: '#123456', above: 20 }), columns([text('b')], [text('c')]));
    change((tr) => duplicateBlock(tr, blockOf('a')));
    expect(json().content?.slice(0, 2)).toEqual([json().content?.[0], json().content?.[0]]);
    expect(currentBlock(editor.state)?.pos).toBe(3);
    change((tr) => duplicateBlock(tr, allBlocks(editor.state.doc)[2] as FoundBlock));
    expect(outline()).toBe('a a c[c[b] c[c]] c[c[b] c[c]]');
  });

  test('moving blocks never loses content', () => {
    const content = () => [
      text('a'),
      section(text('b'), columns([text('c')], [text('d'), { type: 'spacer' }], [text('e')])),
      columns([text('f')], [{ type: 'mailButton' }]),
      text('g'),
    ];
    const moves = fc.array(fc.tuple(fc.nat(20), fc.nat(20)), { maxLength: 8 });
    fc.assert(
      fc.property(moves, (steps) => {
        open(...content());
        for (const [which, where] of steps) {
          const found = allBlocks(editor.state.doc);
          const block = found[which % found.length] as FoundBlock;
          const places = placesFor(editor.state.doc, block).filter(
            (place) => place !== block.pos && place !== block.pos + block.node.nodeSize,
          );
          change((tr) => moveBlock(tr, block, places[where % places.length] ?? 0));
        }
        expect(editor.state.doc.textContent.split('').toSorted().join('')).toBe('abcdefg');
        editor.destroy();
      }),
      { numRuns: 60 },
    );
    open(text('end'));
  });

  test('three columns become two without losing the third, and two become three with an empty one', () => {
    open(columns([text('a')], [text('b')], [text('c'), text('d')]));
    const cols = () => allBlocks(editor.state.doc)[0] as FoundBlock;
    change((tr) => setColumnCount(tr, cols(), 2));
    expect(outline()).toBe('c[c[a] c[b c d]]');
    change((tr) => setColumnCount(tr, cols(), 3));
    expect(outline()).toBe('c[c[a] c[b c d] c[]]');
    change((tr) => setColumnCount(tr, cols(), 2));
    expect(outline()).toBe('c[c[a] c[b c d]]');
    expect(blockName(cols().node)).toBe('2 columns');
  });

  test('columns added inside a column go after it; any other block replaces an empty line', () => {
    open(columns([{ type: 'paragraph' }], [text('b')]));
    editor.commands.setTextSelection(3);
    const node = (content: JSONContent) => editor.schema.nodeFromJSON(content);
    change((tr) => addBlock(tr, node(columns([text('x')], [text('y')]))));
    expect(outline()).toBe('c[c[] c[b]] c[c[x] c[y]]');
    editor.commands.setTextSelection(3);
    change((tr) =>
      addBlock(tr, node({ type: 'heading', attrs: { level: 2 }, content: [{ type: 'text', text: 'h' }] })),
    );
    expect(outline()).toBe('c[c[h] c[b]] c[c[x] c[y]]');
  });
});

describe('§2.11 email editor: leaving by Enter', () => {
  const enterAt = (pos: number) => {
    editor.commands.setTextSelection(pos);
    const tr = leaveByEnter(editor.state);
    if (tr) editor.view.dispatch(tr);
    return tr !== undefined;
  };

  test('works on the empty last line of a section', () => {
    open(section(text('a'), { type: 'paragraph' }));
    expect(enterAt(5)).toBe(true);
    expect(outline()).toBe('s[a] ');
    expect(editor.state.selection.$from.depth).toBe(1);
  });

  test('works on the empty only line of a column, which stays', () => {
    open(columns([{ type: 'paragraph' }], [text('b')]), text('c'));
    expect(enterAt(3)).toBe(true);
    expect(outline()).toBe('c[c[] c[b]]  c');
  });

  test('does not work on a line with text, or in the middle', () => {
    open(section(text('a'), { type: 'paragraph' }, text('b')));
    expect([enterAt(3), enterAt(5), enterAt(8)]).toEqual([false, false, false]);
  });
});

describe('§2.11 email editor: undo', () => {
  test('every change is one step, and undoing all restores the start', () => {
    open(text('a'), section(text('b')), columns([text('c')], [text('d')]));
    const typed = (words: string) => editor.commands.insertContent(words);
    let gesture = 0;
    const set = (name: string, changes: object) =>
      change((tr) => markGesture(setAt(tr, name, changes), `gesture ${(gesture += 1)}`));
    const setAt = (tr: typeof editor.state.tr, words: string, changes: object) => {
      setBlock(tr, blockOf(words).pos, { ...changes });
      return tr;
    };
    const steps: (() => void)[] = [
      () => typed('x'),
      () => change((tr) => blockAction(tr, blockOf('c'), 'down')),
      () => change((tr) => blockAction(tr, blockOf('d'), 'duplicate')),
      () => set('c', { ink: '#123456' }),
      () => set('c', { ink: '#654321' }),
      () => set('c', { background: '#654321', above: 12 }),
      () => change((tr) => blockAction(tr, blockOf('b'), 'remove')),
      () => change((tr) => addBlock(tr, editor.schema.nodeFromJSON({ type: 'mailImage', attrs: { src: '/a' } }))),
      () => editor.commands.updateAttributes('mailImage', { src: '/b' }),
      () => change((tr) => addBlock(tr, editor.schema.nodeFromJSON(columns([text('x')], [text('y')])))),
      () => change((tr) => tr.setDocAttribute('background', '#eef1f5')),
      () => change((tr) => tr.setDocAttribute('background', '#dfe5ec')),
      () => insertTag('email')(editor),
      () => editor.commands.setContent(defaultDesigns.reset as JSONContent),
      () => change((tr) => tr.setDocAttribute('background', '#ffffff')),
      () => typed('z'),
    ];
    const seen = [JSON.stringify(json())];
    editor.commands.setTextSelection(2);
    for (const step of steps) {
      step();
      seen.push(JSON.stringify(json()));
    }
    expect(new Set(seen).size).toBe(steps.length + 1);
    for (const before of seen.toReversed().slice(1)) {
      expect(editor.commands.undo()).toBe(true);
      expect(JSON.stringify(json())).toBe(before);
    }
    expect(editor.can().undo()).toBe(false);
    for (const after of seen.slice(1)) {
      editor.commands.redo();
      expect(JSON.stringify(json())).toBe(after);
    }
  });

  test('typing in a field or dragging a slider is one step', () => {
    open(text('a'));
    for (const ink of ['#000001', '#000002', '#000003'])
      change((tr) => {
        setBlock(tr, 0, { ink });
        markGesture(tr, 'drag 1');
      });
    for (const page of ['#000001', '#000002'])
      change((tr) => markGesture(tr.setDocAttribute('background', page), 'drag 2'));
    editor.commands.undo();
    expect([json().attrs?.['background'], json().content?.[0]?.attrs?.['ink']]).toEqual(['', '#000003']);
    editor.commands.undo();
    expect(json().content?.[0]?.attrs?.['ink']).toBe('');
    expect(editor.can().undo()).toBe(false);
  });
});

const everyBlock: JSONContent[] = [
  text('a', { above: 8, below: 0, inside: 12, background: '#ffeeaa', ink: '#112233', textAlign: 'center' }),
  { type: 'heading', attrs: { level: 2, ink: '#112233' }, content: [{ type: 'text', text: 'h' }] },
  { type: 'bulletList', attrs: { background: '#eef1f5' }, content: [{ type: 'listItem', content: [text('i')] }] },
  { type: 'horizontalRule', attrs: { ink: '#ff0000', above: 4 } },
  { type: 'spacer', attrs: { height: 40 } },
  {
    type: 'mailButton',
    attrs: { label: 'Go', href: '{signup_from}/', colour: '#222222', width: 240, ink: '#ffffff', textAlign: 'right' },
  },
  { type: 'mailImage', attrs: { src: '/server/sso/sso_images/image/a.png', alt: 'x', width: 100, inside: 4 } },
  {
    type: 'socialLinks',
    attrs: { links: [{ network: 'github', url: 'https://github.com/name' }], look: 'text', colour: '#123456' },
  },
  {
    ...section(text('s'), columns([text('t')], [text('u')], [text('v')])),
    attrs: { background: '#0f766e', width: 480, inside: 20, ink: '#ffffff' },
  },
  {
    ...columns([text('w')], [{ type: 'mailButton' }]),
    attrs: { layout: 'narrow-left', gap: 8, valign: 'middle', background: '#ffffff', inside: 8 },
  },
];

describe('§4 email templates: round trip', () => {
  test('every block with its settings is unchanged after saving and loading', () => {
    open(...everyBlock);
    const saved = json();
    const loaded = readSaved(JSON.stringify({ design: saved, html: 'x' }));
    editor.destroy();
    open(...((loaded.content ?? []) as JSONContent[]));
    expect(json()).toEqual(saved);
    expect(saved.content).toMatchObject(everyBlock);
  });

  test('every block is unchanged after copying', () => {
    open(...everyBlock);
    const before = json();
    const html = editor.getHTML();
    editor.commands.setContent(html);
    expect(json()).toEqual(before);
  });

  test('a design of an older version loads unchanged', () => {
    for (const design of Object.values(defaultDesigns)) {
      open(...(readSaved(JSON.stringify({ design, html: 'x' })).content as JSONContent[]));
      expect(json().content).toMatchObject((design.content ?? []) as JSONContent[]);
      editor.destroy();
    }
    open(text('end'));
  });

  test('security: hostile settings write nothing into the styles of the editor', () => {
    const bad = 'red;background:url(/server/saml/logout)';
    const attrs = Object.fromEntries(
      'above below inside background ink colour width gap height layout valign look textAlign links'
        .split(' ')
        .map((name) => [name, bad]),
    );
    const hostile = (node: JSONContent): DesignNode =>
      ({
        ...node,
        attrs: { ...node.attrs, ...attrs },
        ...(node.content && { content: node.content.map(hostile) }),
      }) as DesignNode;
    const design = { type: 'doc', content: everyBlock.filter(({ content }) => !content?.[0]?.text).map(hostile) };
    open(...((readSaved(JSON.stringify({ design, html: '' })).content ?? []) as JSONContent[]));
    for (const styled of editor.view.dom.querySelectorAll<HTMLElement>('[style]'))
      expect(styled.getAttribute('style')).not.toMatch(/url|red|NaN|undefined/);
  });
});

describe('§9 merge tags', () => {
  test('the menu offers the seven tags of every mail, and the code tag only in the mail with a code', () => {
    const seven = ['user_name', 'email', 'token', 'site', 'signup_from', 'state', 'relay_state'];
    for (const kind of ['invitation', 'ex_user_invitation', 'signup', 'reset', 'resend'] as const)
      expect(menuTagsOf(kind)).toEqual(seven);
    expect(menuTagsOf('emailmfa')).toEqual([...seven, 'email_code']);
  });

  test('a token inserts the link that sets a password, or links the selected words', () => {
    open(text('Click here'));
    editor.commands.setTextSelection({ from: 7, to: 11 });
    insertTag('token')(editor);
    const link = [
      expect.objectContaining({ type: 'link', attrs: expect.objectContaining({ href: setPasswordAddress }) }),
    ];
    expect(json().content?.[0]?.content?.[1]).toMatchObject({ text: 'here', marks: link });
    editor.commands.setTextSelection(1);
    insertTag('token')(editor);
    expect(json().content?.[0]?.content?.[0]).toMatchObject({ text: 'Set your password', marks: link });
  });
});

test.for([
  [text('a'), 14.5, 15.6],
  [text('a', { ink: '#999999' }), 2.7, 2.9],
  [text('a', { background: '#0f766e' }), 5.3, 5.6],
  [text('a', { background: '#808080' }), 5.2, 5.4],
  [{ ...section(text('a')), attrs: { background: '#ffffff', ink: '#ffffff' } }, 1, 1],
  [{ type: 'mailButton', attrs: { colour: '#ffffff', ink: '#eeeeee' } }, 1.1, 1.2],
  [{ type: 'spacer' }, 0, 0],
] as const)('§2.11 email editor: shows the contrast of %j', ([block, least, most]) => {
  open(block);
  const ratio = lowestContrast(editor.state.doc, 0) ?? 0;
  expect(ratio).toBeGreaterThanOrEqual(least);
  expect(ratio).toBeLessThanOrEqual(most);
});
