import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod/mini'
import { submitOnEnter } from '#app/ui/submit-on-enter.ts'
import { centsIn, WRONG_AMOUNT } from '#app/leads/lead/written-amount.ts'
import { emptyPipeline, lostReason } from '#app/leads/lead/desk.ts'
import { type ChosenLeads, extentOf, isOutdated, pipelineQuery, useBulk } from './use-desk.tsx'
import { Field } from '#app/ui/field.tsx'
import { FormDialog } from '#app/ui/admin/form-dialog.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { Input, Select } from '#app/ui/input.tsx'
import { type StageAnswers, type StagedLead, useStageMove } from '#app/leads/lead/use-lead-change.tsx'

type StageDialogProps = {
  /** The lead, where it is a single one. */
  lead?: StagedLead | undefined
  /** The leads otherwise, and the stage of the first. */
  chosen?: ChosenLeads
  current?: string | undefined
  /** The stage, where it is chosen already: then only its question is asked. */
  to?: number
  close: () => void
}

/** Asks for a stage, and for what that stage needs: the reason of a lost lead, the value of a won one. */
export function StageDialog({ lead, chosen, current, ...rest }: StageDialogProps) {
  if (lead) return <OneLead lead={lead} {...rest} />
  return chosen && <ManyLeads chosen={chosen} current={current} close={rest.close} />
}

function OneLead({ lead, to, close }: { lead: StagedLead; to?: number; close: () => void }) {
  const { move, isPending } = useStageMove(lead, useQuery(pipelineQuery).data?.stages ?? [])
  const save = (stageId: number, answers: StageAnswers) => (stageId === lead.stageId ? close() : move(stageId, answers, close))
  return (
    <StageForm
      title={`Stage of ${lead.name}`}
      lead={lead}
      to={to}
      current={String(lead.stageId)}
      busy={isPending}
      save={save}
      close={close}
    />
  )
}

function ManyLeads({ chosen, current, close }: { chosen: ChosenLeads; current: string | undefined; close: () => void }) {
  const bulk = useBulk()
  const { choice, done } = chosen
  const sent = () => {
    done?.()
    close()
  }
  const save = (stageId: number, { reason }: StageAnswers) =>
    bulk.mutate(
      { choice, change: { change: 'stage', stageId, ...(reason && { reason }) }, done: sent },
      { onError: (error) => isOutdated(error) && close() },
    )
  return <StageForm title={`Stage of ${extentOf(chosen)}`} current={current} busy={bulk.isPending} save={save} close={close} />
}

type StageFormProps = Pick<StageDialogProps, 'lead' | 'to' | 'current' | 'close'> & {
  title: string
  busy: boolean
  save: (stageId: number, answers: StageAnswers) => void
}

const answer = z.object({
  reason: z.optional(lostReason.check(z.minLength(1, 'Choose a reason'))),
  valueCents: z.optional(z.nullable(z.number(WRONG_AMOUNT))),
})

function StageForm({ title, lead, to, current, busy, save, close }: StageFormProps) {
  const { stages, lostReasons } = useQuery(pipelineQuery).data ?? emptyPipeline
  const [picked, setPicked] = useState(to ?? Number(current))
  const stage = stages.find(({ id }) => id === picked)
  const asksValue = stage?.outcome === 'won' && lead !== undefined
  const form = useForm({
    schema: answer,
    read: ({ reason = '', other = '', amount = '' }) => ({
      ...(stage?.outcome === 'lost' && { reason: reason === OTHER ? other : reason }),
      ...(asksValue && { valueCents: centsIn(amount) }),
    }),
    // A reason in words has a field of its own; it is there only once it is asked for.
    assign: ({ reason, valueCents }) => ({
      ...(reason && (document.getElementById('field-other') ? { other: 'Enter the reason' } : { reason })),
      ...(valueCents && { amount: valueCents }),
    }),
    send: async (answers) => save(picked, answers),
    failed: 'Not moved',
  })
  return (
    <FormDialog
      form={{ ...form, isSaving: busy }}
      onClose={close}
      title={title}
      submit={to === undefined ? 'Change stage' : `Move to ${stage?.name ?? 'this stage'}`}
    >
      {to === undefined && (
        <Field label="Stage" name="value">
          <Select
            key={String(stages.length > 0)}
            defaultValue={current}
            onChange={({ target }) => setPicked(Number(target.value))}
            onKeyDown={submitOnEnter}
          >
            {stages.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
      )}
      {stage?.outcome === 'lost' && <ReasonField reasons={lostReasons} known={lead?.lostReason ?? null} />}
      {asksValue && (
        <Field label="Value" name="amount" optional hint="What the client agreed to pay.">
          <Input inputMode="decimal" autoComplete="off" defaultValue={lead.valueCents === null ? '' : String(lead.valueCents / 100)} />
        </Field>
      )}
    </FormDialog>
  )
}

const OTHER = '#other'

type ReasonFieldProps = { reasons: readonly string[]; known: string | null }

/** The reason for a lost lead: one of the list, or another one in words. */
function ReasonField({ reasons, known }: ReasonFieldProps) {
  const isOther = known !== null && !reasons.includes(known)
  const [chosen, setChosen] = useState(isOther ? OTHER : (known ?? ''))
  return (
    <>
      <Field label="Reason" name="reason">
        <Select defaultValue={chosen} onChange={({ target }) => setChosen(target.value)} onKeyDown={submitOnEnter}>
          <option value="">Choose a reason</option>
          {reasons.map((reason) => (
            <option key={reason}>{reason}</option>
          ))}
          <option value={OTHER}>Another reason</option>
        </Select>
      </Field>
      {chosen === OTHER && (
        <Field label="Reason in words" name="other">
          <Input defaultValue={isOther ? known : ''} most={200} autoComplete="off" />
        </Field>
      )}
    </>
  )
}
