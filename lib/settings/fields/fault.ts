import type * as z from 'zod'

/** Reports what is wrong with a variable. The message continues its name: "must be ...". */
export function addFault(context: z.core.$RefinementCtx, variable: string, message: string): void {
  context.addIssue({ code: 'custom', path: [variable], message })
}
