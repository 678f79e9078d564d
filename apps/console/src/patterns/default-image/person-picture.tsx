import { Avatar } from '@mantine/core';
import person from './person.svg';

type PersonPictureProps = {
  /** '' is none: the default picture is shown, and so it is where the picture does not load. */
  address: string;
  size: number;
  /** '' where the name stands beside it. */
  alt?: string;
  className?: string | undefined;
};

export function PersonPicture({ address, size, alt = '', className = '' }: PersonPictureProps) {
  return (
    <Avatar className={className} src={address || person} alt={alt} size={size} radius={size / 2}>
      <img src={person} alt={alt} width={size} height={size} />
    </Avatar>
  );
}
