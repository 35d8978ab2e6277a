import { z } from 'zod/mini'
import { atMost, manyLines, oneLine } from '#app/platform/clean-text.ts'
import { contactEmail } from '#app/leads/lead/contact.ts'
import { anyUuid, leadTag, leadWork, MOST_TAGS } from '#app/leads/lead/desk.ts'
import { enquiryLimits } from '#app/leads/lead/enquiry-limits.ts'
import { singleContact } from '#app/leads/lead/lead.ts'
import { leadMessage } from '#app/leads/reply/message.ts'
import { chosenStage } from '#app/leads/lead/stage.ts'
import { isoMoment } from '#app/platform/iso-moment.ts'

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
  phone: z.nullable(z.string()),
  ...leadWork,
  lostReason: z.nullable(z.string()),
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

const line = (label: string, most: number) =>
  z
    .string(`${label} must be a text.`)
    .check(z.overwrite(oneLine), ...atMost(most, { error: () => `${label} must be at most ${most.toLocaleString('en')} characters.` }))
const filled = (label: string, most: number) => line(label, most).check(z.minLength(1, `${label} is required.`))

const moment = isoMoment('Give a time in ISO 8601, such as 2026-11-25T09:00:00Z.')

const MONEY = 'A value is a number, 0 or more.'

/** The facts of a lead that staff edit in place, as they are after the change. */
const deskFacts = {
  name: filled('The name', enquiryLimits.name),
  company: z.nullable(line('The company', enquiryLimits.company)),
  phone: z.nullable(line('The phone number', 40)),
  country: filled('The country', enquiryLimits.country),
  serviceType: z.nullable(line('The service type', 200)),
  stageId: chosenStage,
  ownerId: z.nullable(anyUuid('Choose an owner.')),
  valueCents: z.nullable(z.number(MONEY).check(z.int(MONEY), z.minimum(0, MONEY), z.maximum(1e12, MONEY))),
  nextStep: z.nullable(line('The next step', 200)),
  nextStepAt: z.nullable(moment),
  tags: z.array(leadTag, 'Tags are a list.').check(z.maxLength(MOST_TAGS, `A lead has at most ${MOST_TAGS} tags.`)),
  isStarred: z.boolean('A star is on or off.'),
  lostReason: z.nullable(line('The reason', 200)),
}

export type LeadFactName = keyof typeof deskFacts

export const leadFactLabels: Record<LeadFactName, string> = {
  name: 'Name',
  company: 'Company',
  phone: 'Phone',
  country: 'Country',
  serviceType: 'Service type',
  stageId: 'Stage',
  ownerId: 'Owner',
  valueCents: 'Value',
  nextStep: 'Next step',
  nextStepAt: 'Due',
  tags: 'Tags',
  isStarred: 'Star',
  lostReason: 'Reason',
}

const changeOf = <Fact extends z.ZodMiniType>(fact: Fact) => z.optional(z.object({ from: z.unknown(), to: fact }))

/** Each changed fact with the value that it replaces: the server refuses to overwrite another one. */
export const leadChanges = z.object({
  changes: z.strictObject({
    name: changeOf(deskFacts.name),
    company: changeOf(deskFacts.company),
    phone: changeOf(deskFacts.phone),
    country: changeOf(deskFacts.country),
    serviceType: changeOf(deskFacts.serviceType),
    stageId: changeOf(deskFacts.stageId),
    ownerId: changeOf(deskFacts.ownerId),
    valueCents: changeOf(deskFacts.valueCents),
    nextStep: changeOf(deskFacts.nextStep),
    nextStepAt: changeOf(deskFacts.nextStepAt),
    tags: changeOf(deskFacts.tags),
    isStarred: changeOf(deskFacts.isStarred),
    lostReason: changeOf(deskFacts.lostReason),
  } satisfies Record<LeadFactName, z.ZodMiniType>),
})

export type LeadChanges = z.infer<typeof leadChanges>['changes']

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

const NOTE = 'A note has 1 to 10,000 characters.'

export const noteBody = z.object({
  text: z.string(NOTE).check(z.overwrite(manyLines), z.minLength(1, NOTE), ...atMost(10_000, NOTE)),
})

/** `base` is the `updatedAt` of the note that was edited. */
export const noteChange = z.extend(noteBody, { base: z.string('Name the version that you edited.') })

const taskTitle = filled('The task', 200)
const taskPlan = {
  assigneeId: z.optional(z.nullable(anyUuid('Choose someone of the staff.'))),
  dueAt: z.optional(z.nullable(moment)),
  remindAt: z.optional(z.nullable(moment)),
}

export const taskBody = z.object({ title: taskTitle, ...taskPlan })

export type TaskBody = z.infer<typeof taskBody>

export const taskChange = z.object({
  title: z.optional(taskTitle),
  ...taskPlan,
  isDone: z.optional(z.boolean('A task is done or open.')),
})

export type TaskChange = z.infer<typeof taskChange>

/** A merge of two people can be undone for this long. */
export const MERGE_UNDO_DAYS = 30

export const mergedPeople = z.object({ id: z.string() })

/** The address of another person. */
export const personBody = z.object({ email: contactEmail('Invalid email address') })
