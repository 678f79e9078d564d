import { Button, Menu, Tooltip, UnstyledButton } from '@mantine/core';
import type { TemplateKind } from '@opensocial/contract';
import { type MergeTag, menuTagsOf } from '@opensocial/contract/mail';
import { type Icon, IconBraces, IconH1, IconH2, IconH3, IconPlus } from '@tabler/icons-react';
import type { Editor } from '@tiptap/core';
import { useEditorState } from '@tiptap/react';
import { type KeyboardEvent, useState } from 'react';
import { elementBeside } from '../../../../patterns/arrow-keys/element-beside.ts';
import {
  alignTools,
  type EditorTool,
  historyTools,
  listTools,
  markTools,
  runTool,
  toolStates,
} from '../../../../patterns/editor-tools/editor-tools.ts';
import type { Block } from '../document/blocks.ts';
import { canInsertTag, insertTag } from '../suggestions/suggestions.ts';
import { LinkControl } from './link-control.tsx';
import classes from './toolbar.module.css';

const headingTool = (level: 1 | 2 | 3, icon: Icon): EditorTool => ({
  label: `Heading ${level}`,
  icon,
  run: (chain) => chain.toggleHeading({ level }),
  isOn: (editor) => editor.isActive('heading', { level }),
});

const groups: readonly (readonly EditorTool[])[] = [
  historyTools,
  [headingTool(1, IconH1), headingTool(2, IconH2), headingTool(3, IconH3)],
  markTools,
  listTools,
  alignTools,
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

/** The toolbar is one tab stop (roving tabindex). Arrow keys move between its tools. */
export function Toolbar({ editor, kind, origin, blocks, tagTexts, label }: ToolbarProps) {
  const [at, setAt] = useState('Add block');
  const state = useEditorState({ editor, selector: () => toolStates(editor, tools) });
  const handleKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-tool]')];
    if (!['ArrowLeft', 'ArrowRight', 'Home', 'End'].includes(event.key)) return;
    const next = elementBeside(buttons, document.activeElement, event.key);
    if (!next) return;
    event.preventDefault();
    next.focus();
  };
  /** The props of a tool: only the current tool is in the tab order. */
  const stop = (name: string) => ({
    'data-tool': '',
    tabIndex: name === at ? 0 : -1,
    onFocus: () => setAt(name),
  });
  return (
    <div className={classes.bar} role="toolbar" tabIndex={-1} aria-label={label} onKeyDown={handleKeyDown}>
      <BlockMenu editor={editor} blocks={blocks} stop={stop('Add block')} />
      <TagMenu editor={editor} kind={kind} tagTexts={tagTexts} stop={stop('Insert tag')} />
      {groups.map((group) => (
        <div key={group[0]?.label} className={classes.group} role="presentation">
          {group.map((tool) => (
            <ToolButton key={tool.label} editor={editor} tool={tool} state={state} stop={stop(tool.label)} />
          ))}
        </div>
      ))}
      <LinkControl editor={editor} kind={kind} origin={origin} stop={stop('Link')} className={classes.tool ?? ''} />
    </div>
  );
}

type Stop = { 'data-tool': string; tabIndex: number; onFocus: () => void };

type ToolButtonProps = { editor: Editor; tool: EditorTool; state: ReturnType<typeof toolStates>; stop: Stop };

function ToolButton({ editor, tool, state, stop }: ToolButtonProps) {
  const { label, icon: ToolIcon, isOn, keys } = tool;
  return (
    <Tooltip label={keys ? `${label} (${keys})` : label} openDelay={400} withArrow>
      <UnstyledButton
        {...stop}
        className={classes.tool}
        aria-label={label}
        {...(isOn && { 'aria-pressed': state.on.includes(label) })}
        aria-disabled={state.off.includes(label)}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => runTool(editor, tool)}
      >
        <ToolIcon size={18} stroke={1.8} />
      </UnstyledButton>
    </Tooltip>
  );
}

type BlockMenuProps = { editor: Editor; blocks: readonly Block[]; stop: Stop };

function BlockMenu({ editor, blocks, stop }: BlockMenuProps) {
  return (
    <Menu position="bottom-start" returnFocus={false} width={220}>
      <Menu.Target>
        <Button {...stop} size="sm" variant="default" leftSection={<IconPlus size={16} />}>
          Add block
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.blocks}>
        {blocks.map(({ id, label, icon: BlockIcon, add }) => (
          <Menu.Item key={id} leftSection={<BlockIcon size={17} stroke={1.7} />} onClick={() => void add(editor)}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

type TagMenuProps = Pick<ToolbarProps, 'editor' | 'kind' | 'tagTexts'> & { stop: Stop };

function TagMenu({ editor, kind, tagTexts, stop }: TagMenuProps) {
  return (
    <Menu position="bottom-start" returnFocus={false} width={300}>
      <Menu.Target>
        <Button {...stop} size="sm" variant="default" leftSection={<IconBraces size={16} />}>
          Insert tag
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {menuTagsOf(kind).map((tag) => {
          const canInsert = canInsertTag(kind, tag);
          return (
            <Menu.Item key={tag} disabled={!canInsert} onClick={() => insertTag(tag)(editor)}>
              <span className={classes.tag}>{`{${tag}}`}</span>
              <span className={classes.meaning}>{canInsert ? tagTexts[tag] : 'Not available in this email.'}</span>
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}
