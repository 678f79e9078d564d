import { CardPage } from '../layout.tsx';
import { type Look, ownLook } from '../look.ts';
import { CardHeading } from '../parts/card-heading.tsx';

export type LogoutConfirmPage = {
  look?: Look | undefined;
  action: string;
  csrf: string;
  /** Further fields of the form. */
  fields?: Record<string, string> | undefined;
  /** The target of 'Stay signed in'. */
  stayUrl: string;
};

export function LogoutConfirm({ look = ownLook, action, csrf, fields = {}, stayUrl }: LogoutConfirmPage) {
  return (
    <CardPage title="Sign out" look={look}>
      <CardHeading>Sign out of OpenSocial?</CardHeading>
      <p>
        We cannot tell whether you asked for this, or another web page did. Signing out here also ends your sessions in
        the applications that you opened from here.
      </p>
      <form className="actions" method="post" action={action}>
        <input type="hidden" name="csrf" value={csrf} />
        {Object.entries(fields).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <button className="button button-primary" type="submit">
          Sign out
        </button>
        <a className="button" href={stayUrl}>
          Stay signed in
        </a>
      </form>
    </CardPage>
  );
}
