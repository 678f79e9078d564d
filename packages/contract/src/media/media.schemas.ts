import { z } from 'zod';
import { NamedNetwork } from '../fields.ts';

/** An image in the library of a network. `size` is in KB; `url` and `thumbnail` are on our own origin. */
export const Image = z.object({
  id: z.int(),
  name: z.string(),
  alt_text: z.string(),
  title: z.string(),
  caption: z.string(),
  description: z.string(),
  created: z.iso.datetime(),
  size: z.int(),
  width: z.int(),
  height: z.int(),
  /** The original name of the uploaded file. */
  file_name: z.string(),
  url: z.string(),
  thumbnail: z.string(),
});
export type Image = z.infer<typeof Image>;

/** The texts of an image that people can edit. */
export const ImageChanges = z.strictObject({
  alt_text: z.string().trim().max(500),
  title: z.string().trim().max(200),
  caption: z.string().trim().max(1_000),
  description: z.string().trim().max(5_000),
});
export type ImageChanges = z.infer<typeof ImageChanges>;

/** The fields of an upload. `size` is what the client claims; the server measures the file itself. */
export const ImageDraft = z.object({ sso_server: NamedNetwork, size: z.string().max(20).optional() });
export type ImageDraft = z.infer<typeof ImageDraft>;

const megabyte = 1024 * 1024;

export const imageUpload = { field: 'image', maximumBytes: 100 * megabyte } as const;

/** For the file dialog. The server detects the type from the file's content. */
export const imageTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/svg+xml'] as const;
