import { z } from 'zod/mini'
import { contactEmail } from '#app/leads/lead/contact.ts'
import { leadWork } from '#app/leads/lead/desk.ts'
import { anyUuid, filledLine, moment } from '#app/leads/lead/fact-value.ts'
import { singleContact } from '#app/leads/lead/lead.ts'
import { leadMessage } from '#app/leads/reply/message.ts'

/** A task of a lead: open until it is done. */
export const leadTask = z.object({
  id: z.string(),
  title: z.string(),
  assigneeId: z.nullable(z.string()),
  dueAt: z.nullable(z.string()),
  remindAt: z.nullable(z.string()),
  doneAt: z.nullable(z.string()),
  createdAt: z.string(),
})

export type LeadTask = z.infer<typeof leadTask>

/** Another enquiry of the same person. */
const otherLead = z.object({ id: z.string(), reference: z.string(), problem: z.string(), stageId: z.number(), createdAt: z.string() })

/** An address that was merged into a person. It can be separated again until `undoableUntil`. */
const mergedAddress = z.object({ mergeId: z.string(), email: z.string(), undoableUntil: z.string() })

/** One lead with everything that its page shows, but for the timeline. */
export const leadDetail = z.extend(singleContact, {
  ...leadWork,
  person: z.object({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    /** When the address rejected an email, and why. */
    bouncedAt: z.nullable(z.string()),
    bounceReason: z.nullable(z.string()),
    /** When they created their account here. */
    accountSince: z.nullable(z.string()),
    merged: z.array(mergedAddress),
  }),
  otherLeads: z.array(otherLead),
  tasks: z.array(leadTask),
})

export type LeadDetail = z.infer<typeof leadDetail>

/** A note in Markdown. `html` is safe to show. */
export const leadNote = z.object({
  id: z.string(),
  text: z.string(),
  html: z.string(),
  authorId: z.nullable(z.string()),
  updatedAt: z.string(),
})

export type LeadNote = z.infer<typeof leadNote>

/** One entry of the timeline; `received` is the enquiry itself. Values before and after are in `detail`. */
const timelineEntry = z.object({
  id: z.string(),
  kind: z.string(),
  at: z.string(),
  reference: z.string(),
  actorId: z.nullable(z.string()),
  /** Missing for events without a person, and for deleted accounts. */
  actorName: z.nullable(z.string()),
  detail: z.record(z.string(), z.unknown()),
  note: z.nullable(leadNote),
  message: z.nullable(leadMessage),
})

export type TimelineEntry = z.infer<typeof timelineEntry>

export const leadTimeline = z.object({ entries: z.array(timelineEntry), nextCursor: z.nullable(z.string()) })

const taskTitle = filledLine('The task', 200)
const taskPlan = {
  assigneeId: z.optional(z.nullable(anyUuid('Choose someone of the staff.'))),
  dueAt: z.optional(z.nullable(moment)),
  remindAt: z.optional(z.nullable(moment)),
}

export const taskBody = z.object({ title: taskTitle, ...taskPlan })

const isDone = z.optional(z.boolean('A task is done or open.'))

/** With the id that it had, a task that was deleted comes back. */
export const addedTask = z.extend(taskBody, { id: z.optional(anyUuid('There is no such task.')), isDone })

export type AddedTask = z.infer<typeof addedTask>

export const taskChange = z.object({ title: z.optional(taskTitle), ...taskPlan, isDone })

export type TaskChange = z.infer<typeof taskChange>

/** A merge of two people can be undone for this long. */
export const MERGE_UNDO_DAYS = 30

export const mergedPeople = z.object({ id: z.string() })

/** The address of another person. */
export const personBody = z.object({ email: contactEmail('Invalid email address') })
/** Another person, who may have no address. */
export const otherPerson = z.union([personBody, z.object({ personId: anyUuid('There is no such person.') })], 'Choose a person first.')
