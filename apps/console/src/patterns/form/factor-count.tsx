import { countOf, formatNumber } from '../format/format.ts';
import { FormNote } from './form-note.tsx';

type FactorCountProps = {
  people: number;
  withoutFactor: number;
  /** Which people are counted, such as 'of northlab who may enter'. */
  noun: string;
  /** What people without a second factor have to do. */
  next: string;
};

/** How many people are concerned by a rule that requires a second factor. */
export function FactorCount({ people, withoutFactor, noun, next }: FactorCountProps) {
  if (people === 0) return null;
  const counted = `${countOf(people, 'person', 'people')} ${noun}`;
  return (
    <FormNote>
      {withoutFactor === 0
        ? `Nobody has to do anything: the ${counted} ${people === 1 ? 'has' : 'have'} a second factor already.`
        : `${formatNumber(withoutFactor)} of the ${counted} ${withoutFactor === 1 ? 'has' : 'have'} no second factor yet. ${next}`}
    </FormNote>
  );
}
