import { errors } from '@opensocial/contract';

export type UploadRules = {
  /** Bytes of one file. */
  maximumBytes: number;
  /** The types that are taken, where not every image is. */
  types?: readonly string[] | undefined;
};

const megabyte = 1024 * 1024;

export const megabytes = (bytes: number): string => `${Math.round(bytes / megabyte)} MB`;

export const isImage = ({ type }: File): boolean => type.startsWith('image/');

/** §5, Image upload: why a file is not taken. */
export const faultOf = (file: File, { maximumBytes, types }: UploadRules): string | undefined => {
  if (types && !types.includes(file.type)) return errors.file_type_invalid.message;
  if (file.size > maximumBytes) return `File size too large, max size allowed is ${megabytes(maximumBytes)}`;
  return undefined;
};
