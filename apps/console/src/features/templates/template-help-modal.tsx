import { mergeTags, setPasswordAddress } from '@opensocial/contract/mail';
import { Dialog } from '../../patterns/dialog/dialog.tsx';
import classes from './template-help-modal.module.css';
import { tagTexts } from './template-texts.ts';

type TemplateHelpModalProps = { onClose: () => void };

/** §2.11, the Help modal. */
export function TemplateHelpModal({ onClose }: TemplateHelpModalProps) {
  return (
    <Dialog onClose={onClose} title="Email Template Help Guide" size={620}>
      <div className={classes.guide}>
        <p>
          Each mail is sent in our words (<b>Use Default</b>) or in yours (<b>Use Template</b>). The switch is saved at
          once; a template when you press <b>save settings</b>.
        </p>
        <p>
          A tag stands for something that is known only when the mail is sent. Type <kbd>{'{'}</kbd> in the text, or
          choose one from <b>Insert tag</b>; in a link, write it in braces. Type <kbd>/</kbd> on an empty line to add a
          block.
        </p>
        <p>
          The current block has a bar with its handles: drag it by the dots, or press <kbd>Alt</kbd> <kbd>Shift</kbd>{' '}
          and <kbd>↑</kbd> or <kbd>↓</kbd> to move it, <kbd>Alt</kbd> <kbd>Shift</kbd> <kbd>D</kbd> to duplicate it and{' '}
          <kbd>Alt</kbd> <kbd>Shift</kbd> <kbd>Backspace</kbd> to delete it. <kbd>Alt</kbd> <kbd>F10</kbd> leads from
          the text to the bar, <kbd>Esc</kbd> back. <kbd>Ctrl</kbd> <kbd>Z</kbd> undoes every change, one at a time.
        </p>
        <dl className={classes.tags}>
          {mergeTags.map((tag) => (
            <div key={tag}>
              <dt>{`{${tag}}`}</dt>
              <dd>{tagTexts[tag]}</dd>
            </div>
          ))}
        </dl>
        <p>
          Please replace <b>xxx</b> in the template links with the network name, for example in{' '}
          <code>{'{signup_from}/sso-servers/xxx'}</code>. The link that sets a password is{' '}
          <code>{setPasswordAddress}</code>, exactly so: the block <b>Set your password</b> has it.
        </p>
        <p>
          A tag that nobody knows is sent as it stands. Pictures come from the media library. <b>Send a test to me</b>{' '}
          sends what you see, with sample values, to your own address.
        </p>
      </div>
    </Dialog>
  );
}
