/** Identifies a person in one line, for example 'Ana Moreno (ana@northlab.org)'. Several people may have the same name. */
export const personLabel = ({ fullname, email }: { fullname: string; email: string }): string =>
  fullname.trim() === '' ? email : `${fullname.trim()} (${email})`;
