/**
 * Locks the rows that a SELECT finds, and leaves out those that another statement has locked. An array, because a subquery
 * under a join could run several times and lock other rows each time.
 */
export const amongUnlocked = ['= ANY(ARRAY(', ' FOR UPDATE SKIP LOCKED))'] as const
