import { ActionIcon } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useId } from 'react';
import classes from './code-block.module.css';

type CodeBlockProps = {
  /** Where the text belongs, such as the name of a file. */
  title: string;
  text: string;
};

/** Lines of a file or a shell, with a button that copies them. */
export function CodeBlock({ title, text }: CodeBlockProps) {
  const titleId = useId();
  const { copied, copy } = useClipboard({ timeout: 2_000 });
  return (
    <div className={classes.block}>
      <div className={classes.head}>
        <span id={titleId} className={classes.title}>
          {title}
        </span>
        <ActionIcon
          variant="subtle"
          color={copied ? 'green' : 'gray'}
          size={36}
          aria-label={`Copy ${title}`}
          onClick={() => copy(text)}
        >
          {copied ? <IconCheck size={18} /> : <IconCopy size={18} stroke={1.8} />}
        </ActionIcon>
        <span className="visually-hidden" role="status">
          {copied && `${title} copied`}
        </span>
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- It scrolls, so it must be reachable with the keyboard. */}
      <pre className={classes.text} tabIndex={0} role="region" aria-labelledby={titleId}>
        {text}
      </pre>
    </div>
  );
}
