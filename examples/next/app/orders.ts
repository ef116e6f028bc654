/** Orders by their number. A shop has a database in its place. */
export const orders = new Map<string, { link: string; isPaid: boolean }>()
