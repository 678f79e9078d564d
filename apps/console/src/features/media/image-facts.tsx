import type { Image } from '@opensocial/contract';
import { fileSize } from '../../patterns/file-size/file-size.ts';
import { formatDate } from '../../patterns/format/format.ts';
import classes from './image-facts.module.css';

type ImageFactsProps = { image: Image };

export function ImageFacts({ image }: ImageFactsProps) {
  const facts = [
    ['File name', image.file_name],
    ['Created', formatDate(image.created)],
    ['Size', fileSize(image.size * 1024)],
    ['Dimensions', `${image.width} × ${image.height}`],
  ] as const;
  return (
    <dl className={classes.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
