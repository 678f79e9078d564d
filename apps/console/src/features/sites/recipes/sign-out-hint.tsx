import formClasses from '../../../patterns/form/form.module.css';

/** What the sign-out of an application does here. An administrator who tries it would be surprised otherwise. */
export function SignOutHint({ name }: { name: string }) {
  return (
    <p className={formClasses.hint}>
      A sign-out link of {name} ends the session here too, and with it the sign-ins to other applications. If you try it
      in this browser, you are signed out of this console.
    </p>
  );
}
