import { Button, Menu, Tooltip, UnstyledButton } from '@mantine/core';
import type { TemplateKind } from '@opensocial/contract';
import { type MergeTag, menuTagsOf } from '@opensocial/contract/mail';
import {
  type Icon,
  IconAlignCenter,
  IconAlignLeft,
  IconAlignRight,
  IconArrowBackUp,
  IconArrowForwardUp,
  IconBold,
  IconBraces,
  IconH1,
  IconH2,
  IconH3,
  IconItalic,
  IconList,
  IconListNumbers,
  IconPlus,
  IconStrikethrough,
  IconUnderline,
} from '@tabler/icons-react';
import type { Editor } from '@tiptap/core';
import { useEditorState } from '@tiptap/react';
import { type KeyboardEvent, useState } from 'react';
import { elementBeside } from '../../../../patterns/arrow-keys/element-beside.ts';
import type { Block } from '../document/blocks.ts';
import { canInsertTag, insertTag } from '../suggestions/suggestions.ts';
import { LinkControl } from './link-control.tsx';
import classes from './toolbar.module.css';

type Tool = {
  label: string;
  icon: Icon;
  run: (editor: Editor) => void;
  /** For one that can be on: whether it is. */
  isOn?: (editor: Editor) => boolean;
  can?: (editor: Editor) => boolean;
  keys?: string;
};

const heading = (level: 1 | 2 | 3, icon: Icon): Tool => ({
  label: `Heading ${level}`,
  icon,
  run: (editor) => editor.chain().focus().toggleHeading({ level }).run(),
  isOn: (editor) => editor.isActive('heading', { level }),
});

const align = (side: 'left' | 'center' | 'right', icon: Icon): Tool => ({
  label: `Align ${side}`,
  icon,
  run: (editor) => editor.chain().focus().setTextAlign(side).run(),
  isOn: (editor) => editor.isActive({ textAlign: side }),
});

const groups: readonly (readonly Tool[])[] = [
  [
    {
      label: 'Undo',
      icon: IconArrowBackUp,
      run: (editor) => editor.chain().focus().undo().run(),
      can: (editor) => editor.can().undo(),
      keys: 'Ctrl+Z',
    },
    {
      label: 'Redo',
      icon: IconArrowForwardUp,
      run: (editor) => editor.chain().focus().redo().run(),
      can: (editor) => editor.can().redo(),
      keys: 'Ctrl+Shift+Z',
    },
  ],
  [heading(1, IconH1), heading(2, IconH2), heading(3, IconH3)],
  [
    {
      label: 'Bold',
      icon: IconBold,
      run: (editor) => editor.chain().focus().toggleBold().run(),
      isOn: (editor) => editor.isActive('bold'),
    },
    {
      label: 'Italic',
      icon: IconItalic,
      run: (editor) => editor.chain().focus().toggleItalic().run(),
      isOn: (editor) => editor.isActive('italic'),
    },
    {
      label: 'Underline',
      icon: IconUnderline,
      run: (editor) => editor.chain().focus().toggleUnderline().run(),
      isOn: (editor) => editor.isActive('underline'),
    },
    {
      label: 'Strikethrough',
      icon: IconStrikethrough,
      run: (editor) => editor.chain().focus().toggleStrike().run(),
      isOn: (editor) => editor.isActive('strike'),
    },
  ],
  [
    {
      label: 'List',
      icon: IconList,
      run: (editor) => editor.chain().focus().toggleBulletList().run(),
      isOn: (editor) => editor.isActive('bulletList'),
    },
    {
      label: 'Numbered list',
      icon: IconListNumbers,
      run: (editor) => editor.chain().focus().toggleOrderedList().run(),
      isOn: (editor) => editor.isActive('orderedList'),
    },
  ],
  [align('left', IconAlignLeft), align('center', IconAlignCenter), align('right', IconAlignRight)],
];

const tools = groups.flat();

type ToolbarProps = {
  editor: Editor;
  kind: TemplateKind;
  origin: string;
  blocks: readonly Block[];
  tagTexts: Readonly<Record<MergeTag, string>>;
  label: string;
};

/** One stop of the Tab key; arrows move within. */
export function Toolbar({ editor, kind, origin, blocks, tagTexts, label }: ToolbarProps) {
  const [at, setAt] = useState('Add block');
  const state = useEditorState({
    editor,
    selector: () => ({
      on: tools.filter(({ isOn }) => isOn?.(editor)).map((tool) => tool.label),
      off: tools.filter(({ can }) => can && !can(editor)).map((tool) => tool.label),
    }),
  });
  const handleKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-tool]')];
    if (!['ArrowLeft', 'ArrowRight', 'Home', 'End'].includes(event.key)) return;
    const next = elementBeside(buttons, document.activeElement, event.key);
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  /** What every tool of the bar has. */
  const stop = (name: string) => ({
    'data-tool': '',
    tabIndex: name === at ? 0 : -1,
    onFocus: () => setAt(name),
  });
  return (
    <div className={classes.bar} role="toolbar" tabIndex={-1} aria-label={label} onKeyDown={handleKeyDown}>
      <Menu position="bottom-start" returnFocus={false} width={220}>
        <Menu.Target>
          <Button {...stop('Add block')} size="sm" variant="default" leftSection={<IconPlus size={16} />}>
            Add block
          </Button>
        </Menu.Target>
        <Menu.Dropdown className={classes.blocks}>
          {blocks.map(({ id, label: name, icon: BlockIcon, add }) => (
            <Menu.Item key={id} leftSection={<BlockIcon size={17} stroke={1.7} />} onClick={() => void add(editor)}>
              {name}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Menu position="bottom-start" returnFocus={false} width={300}>
        <Menu.Target>
          <Button {...stop('Insert tag')} size="sm" variant="default" leftSection={<IconBraces size={16} />}>
            Insert tag
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {menuTagsOf(kind).map((tag) => {
            const canInsert = canInsertTag(kind, tag);
            return (
              <Menu.Item key={tag} disabled={!canInsert} onClick={() => insertTag(tag)(editor)}>
                <span className={classes.tag}>{`{${tag}}`}</span>
                <span className={classes.meaning}>{canInsert ? tagTexts[tag] : 'This mail has no such link.'}</span>
              </Menu.Item>
            );
          })}
        </Menu.Dropdown>
      </Menu>
      {groups.map((group) => (
        <div key={group[0]?.label} className={classes.group} role="presentation">
          {group.map(({ label: name, icon: ToolIcon, run, isOn, keys }) => (
            <Tooltip key={name} label={keys ? `${name} (${keys})` : name} openDelay={400} withArrow>
              <UnstyledButton
                {...stop(name)}
                className={classes.tool}
                aria-label={name}
                {...(isOn && { 'aria-pressed': state.on.includes(name) })}
                aria-disabled={state.off.includes(name)}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => run(editor)}
              >
                <ToolIcon size={18} stroke={1.8} />
              </UnstyledButton>
            </Tooltip>
          ))}
        </div>
      ))}
      <LinkControl editor={editor} kind={kind} origin={origin} stop={stop('Link')} className={classes.tool ?? ''} />
    </div>
  );
}
