import { z } from 'zod/mini'
import { atMost, oneLine } from '#app/platform/text/clean-text.ts'

/** The events that move a lead without a press. */
const automaticStages = ['new', 'reply', 'call', 'proposal', 'won', 'lost'] as const

export type AutomaticStage = (typeof automaticStages)[number]

/** A stage of the pipeline, in the order of the list. `probability` is in percent. */
export const leadStage = z.object({
  id: z.number(),
  name: z.string(),
  probability: z.number(),
  outcome: z.enum(['open', 'won', 'lost']),
  automatic: z.nullable(z.enum(automaticStages)),
})

export type LeadStage = z.infer<typeof leadStage>

const CHOOSE = 'Choose a stage.'

/** The stage that a lead gets. The database stores no larger number. */
export const chosenStage = z.number(CHOOSE).check(z.int(CHOOSE), z.minimum(1, CHOOSE), z.maximum(2 ** 31 - 1, CHOOSE))

const NAME = 'A stage has a name of 1 to 40 characters.'
const PERCENT = 'A probability is 0 to 100 percent.'

/** The whole pipeline, in its new order. Stages without an id are new; missing ones are removed. */
export const stagesBody = z.object({
  stages: z
    .array(
      z.object({
        id: z.optional(z.number('Unknown stage.').check(z.int('Unknown stage.'))),
        name: z.string(NAME).check(z.overwrite(oneLine), z.minLength(1, NAME), ...atMost(40, NAME)),
        probability: z.number(PERCENT).check(z.int(PERCENT), z.minimum(0, PERCENT), z.maximum(100, PERCENT)),
      }),
      'Send the stages as a list.',
    )
    .check(z.minLength(1, 'A pipeline has 1 to 20 stages.'), z.maxLength(20, 'A pipeline has 1 to 20 stages.')),
  /** The pipeline that was edited. If it has changed since, nothing is stored. */
  base: z.optional(z.array(z.object({ id: z.number('Unknown stage.'), name: z.string(NAME), probability: z.number(PERCENT) }))),
  /** The stage of the leads whose stage is removed. */
  moveTo: z.optional(z.number('Unknown stage.').check(z.int('Unknown stage.'))),
})

const REASONS = 'There are 1 to 30 reasons.'
const REASON = 'A reason has 1 to 60 characters.'
const reasons = z
  .array(z.string(REASON).check(z.overwrite(oneLine), z.minLength(1, REASON), ...atMost(60, REASON)), 'Send the reasons as a list.')
  .check(z.minLength(1, REASONS), z.maxLength(30, REASONS))

export const LOST_REASONS = '/api/leads/lost-reasons'

/** The reasons for a lost lead, in their new order. `base` are those that were edited: if they have changed since, nothing is stored. */
export const lostReasonsBody = z.object({
  reasons: reasons.check(
    z.refine(
      (given) => new Set(given.map((reason) => reason.toLowerCase())).size === given.length,
      'Each reason is in the list only once.',
    ),
  ),
  base: z.optional(z.array(z.string(REASON))),
})

export type LostReasonsBody = z.infer<typeof lostReasonsBody>

export type StagesBody = z.infer<typeof stagesBody>
