import { Button, Popover, TextInput, Tooltip, UnstyledButton } from '@mantine/core';
import type { TemplateKind } from '@opensocial/contract';
import { IconLink } from '@tabler/icons-react';
import type { Editor } from '@tiptap/core';
import { useEditorState } from '@tiptap/react';
import { type FormEvent, type HTMLAttributes, useState } from 'react';
import { linkFault } from '../document/link-fault.ts';
import classes from './link-control.module.css';

type LinkControlProps = {
  editor: Editor;
  kind: TemplateKind;
  origin: string;
  stop: HTMLAttributes<HTMLElement>;
  className: string;
};

/** The link of the selected text. */
export function LinkControl({ editor, kind, origin, stop, className }: LinkControlProps) {
  const [opened, setOpened] = useState(false);
  const [address, setAddress] = useState('');
  const currentLink = useEditorState({ editor, selector: () => String(editor.getAttributes('link')['href'] ?? '') });
  const fault = linkFault(kind, address, origin);

  const handleOpen = () => {
    setAddress(currentLink);
    setOpened((isOpen) => !isOpen);
  };
  const apply = (href: string) => {
    setOpened(false);
    const chain = editor.chain().focus().extendMarkRange('link');
    if (href === '') chain.unsetLink().run();
    else if (editor.state.selection.empty && currentLink === '')
      chain.insertContent({ type: 'text', text: href, marks: [{ type: 'link', attrs: { href } }] }).run();
    else chain.setLink({ href }).run();
  };
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (!fault) apply(address.trim());
  };
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" width={340} trapFocus shadow="md">
      <Popover.Target>
        <Tooltip label="Link" openDelay={400} withArrow>
          <UnstyledButton
            {...stop}
            className={className}
            aria-label="Link"
            aria-pressed={currentLink !== ''}
            onClick={handleOpen}
          >
            <IconLink size={18} stroke={1.8} />
          </UnstyledButton>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown>
        <form className={classes.form} noValidate onSubmit={handleSubmit}>
          <TextInput
            label="Link"
            placeholder="{signup_from}/"
            spellCheck={false}
            autoComplete="off"
            data-autofocus
            value={address}
            error={fault}
            onChange={(event) => setAddress(event.currentTarget.value)}
          />
          <div className={classes.buttons}>
            {currentLink !== '' && (
              <Button variant="subtle" color="gray" size="sm" onClick={() => apply('')}>
                Remove the link
              </Button>
            )}
            <Button type="submit" size="sm">
              Set the link
            </Button>
          </div>
        </form>
      </Popover.Dropdown>
    </Popover>
  );
}
