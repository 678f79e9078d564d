const firstnames =
  'Ana Ben Cleo Diego Elif Farah Goran Hana Ivo Jun Kofi Lena Marta Nils Oona Pablo Qiang Rosa Sami Tova Uma Viktor Wanda Ximena Yara Zeno'.split(
    ' ',
  );
const lastnames =
  'Moreno Ito Diaz Okafor Lindqvist Haddad Novak Kaya Rossi Schmidt Dubois Mensah Silva Petrov Tanaka Weber Costa Yilmaz Larsen Garcia Ali Horvat Janssen Kim Lopez Fischer'.split(
    ' ',
  );

export type Person = { firstname: string; lastname: string; email: string };

/** Person number `index` of a network: always the same, and each with a unique address. */
export const personOf = (network: string, index: number): Person => {
  const firstname = firstnames[index % firstnames.length] ?? '';
  const lastname = lastnames[(index * 7 + Math.floor(index / firstnames.length)) % lastnames.length] ?? '';
  const number = index < firstnames.length ? '' : String(index);
  return { firstname, lastname, email: `${firstname}.${lastname}${number}@${network}.example`.toLowerCase() };
};
