import type { TemplateKind } from '@opensocial/contract';
import { colourOr, minimumContrast } from '@opensocial/contract/mail';
import type { Editor } from '@tiptap/core';
import type { Transaction } from '@tiptap/pm/state';
import { useEditorState } from '@tiptap/react';
import { type KeyboardEvent, useRef } from 'react';
import { ColourField } from '../../../../patterns/colour-field/colour-field.tsx';
import { ancestorsOf, blockName, currentBlock, setBlock, setColumnCount } from '../document/block-model.ts';
import { linkFault } from '../document/link-fault.ts';
import { markGesture, undoByKey } from '../document/undo-steps.ts';
import { BlockFields, ColumnFields, ColumnsFields, SectionFields } from './block-fields.tsx';
import { lowestContrast } from './contrast.ts';
import classes from './inspector.module.css';
import { type Attributes, type Change, ColourSetting, ContrastWarning, Part } from './setting-fields.tsx';

type InspectorProps = { editor: Editor; kind: TemplateKind; origin: string; onChangeImage: (pos: number) => void };

type SelectedBlock = { pos: number; type: string; name: string; attrs: Attributes; count: number };
type Selected = {
  blocks: readonly SelectedBlock[];
  hasWords: boolean;
  colour: string;
  page: string;
  contrast: number | undefined;
};

const textTypes = ['paragraph', 'heading', 'bulletList', 'orderedList'];

/** The current block with its ancestors, innermost first, the colour of the selected words and the colour of the page. */
const selectedIn = (editor: Editor): Selected => {
  const { selection, doc } = editor.state;
  const block = currentBlock(editor.state);
  const found = block ? [block, ...ancestorsOf(doc, block.pos)] : [];
  return {
    blocks: found.map(({ pos, node }) => ({
      pos,
      type: node.type.name,
      name: blockName(node),
      attrs: node.attrs,
      count: node.childCount,
    })),
    hasWords: !selection.empty,
    colour: colourOr(editor.getAttributes('textStyle')['color'], ''),
    page: colourOr(doc.attrs['background'], ''),
    contrast: block && lowestContrast(doc, block.pos),
  };
};

/** The settings of the current block, of the columns and the section that it is in, and of the page. */
export function Inspector({ editor, kind, origin, onChangeImage }: InspectorProps) {
  const { blocks, hasWords, colour, page, contrast } = useEditorState<Selected>({
    editor,
    selector: () => selectedIn(editor),
  });
  const gesture = useRef(0);
  const [block] = blocks;
  const find = (type: string) => blocks.find((one) => one.type === type);
  const [column, columns, section] = [find('column'), find('columns'), find('section')];

  const change = (name: string, act: (tr: Transaction) => void, how?: 'typed') => {
    const { tr } = editor.state;
    act(tr);
    editor.view.dispatch(markGesture(tr, how === 'typed' ? name : `${name} ${gesture.current}`));
  };
  const changesOf =
    ({ pos }: SelectedBlock): Change =>
    (changes, how) =>
      change(`${pos} ${Object.keys(changes).join()}`, (tr) => setBlock(tr, pos, changes), how);
  const handleCount = (count: 2 | 3) =>
    change('count', (tr) => {
      const node = columns && tr.doc.nodeAt(columns.pos);
      if (node) setColumnCount(tr, { pos: columns.pos, node }, count);
    });
  const handleTextColour = (value: string) => (value ? editor.commands.setColor(value) : editor.commands.unsetColor());
  const handleNewGesture = () => {
    gesture.current += 1;
  };
  const handleKeyDown = (event: KeyboardEvent) => {
    handleNewGesture();
    undoByKey(editor, event);
  };
  const isText = block !== undefined && textTypes.includes(block.type);
  const isContainer = block !== undefined && ['section', 'columns'].includes(block.type);
  return (
    <div
      className={classes.inspector}
      role="group"
      aria-label="Settings of the selection"
      onPointerDownCapture={handleNewGesture}
      onKeyDownCapture={handleKeyDown}
    >
      <div role="status">
        {contrast !== undefined && contrast < minimumContrast && <ContrastWarning ratio={contrast} />}
      </div>
      {block && !isContainer && (
        <Part title={block.name}>
          {isText && hasWords && <ColourField label="Text colour" value={colour} onChange={handleTextColour} />}
          {isText && !hasWords && (
            <ColourSetting label="Text colour" name="ink" attrs={block.attrs} onChange={changesOf(block)} />
          )}
          <BlockFields
            type={block.type}
            attrs={block.attrs}
            linkFault={(address) => linkFault(kind, address, origin)}
            onChange={changesOf(block)}
            onChangeImage={() => onChangeImage(block.pos)}
          />
        </Part>
      )}
      {!block && (
        <Part title="Text">
          <ColourField label="Text colour" value={colour} onChange={handleTextColour} />
        </Part>
      )}
      {column && (
        <Part title="Column">
          <ColumnFields attrs={column.attrs} onChange={changesOf(column)} />
        </Part>
      )}
      {columns && (
        <Part title={columns.name}>
          <ColumnsFields
            attrs={columns.attrs}
            count={columns.count}
            onChange={changesOf(columns)}
            onCount={handleCount}
          />
        </Part>
      )}
      {section && (
        <Part title="Section">
          <SectionFields attrs={section.attrs} onChange={changesOf(section)} />
        </Part>
      )}
      <Part title="Page">
        <ColourField
          label="Page colour"
          value={page}
          onChange={(background) => change('page', (tr) => tr.setDocAttribute('background', background))}
        />
      </Part>
    </div>
  );
}
