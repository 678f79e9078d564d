/** The id and the name of a network. Some calls take the id, some the name, and some both. */
export type NetworkRef = { id: number; name: string };
