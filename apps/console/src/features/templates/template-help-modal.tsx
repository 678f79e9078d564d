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
          Each email uses our default text (<b>Use Default</b>) or your template (<b>Use Template</b>). The switch is
          saved immediately, a template when you press <b>save settings</b>.
        </p>
        <p>
          A tag is replaced by its value when the email is sent. Type <kbd>{'{'}</kbd> in the text, or choose one from{' '}
          <b>Insert tag</b>; in a link, write it in braces. Type <kbd>/</kbd> on an empty line to add a block.
        </p>
        <p>
          The current block has a bar with its handles: drag it by the dots, or press <kbd>Alt</kbd> <kbd>Shift</kbd>{' '}
          and <kbd>↑</kbd> or <kbd>↓</kbd> to move it, <kbd>Alt</kbd> <kbd>Shift</kbd> <kbd>D</kbd> to duplicate it and{' '}
          <kbd>Alt</kbd> <kbd>Shift</kbd> <kbd>Backspace</kbd> to delete it. <kbd>Alt</kbd> <kbd>F10</kbd> moves from
          the text to the bar, and <kbd>Esc</kbd> moves back. <kbd>Ctrl</kbd> <kbd>Z</kbd> undoes every change, one at a
          time.
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
          <code>{setPasswordAddress}</code>. Write it exactly like this, or add the block <b>Set your password</b>,
          which contains it.
        </p>
        <p>
          Unknown tags are sent unchanged. Pictures come from the media library. <b>Send a test to me</b> sends what you
          see, with sample values, to your own address.
        </p>
      </div>
    </Dialog>
  );
}
