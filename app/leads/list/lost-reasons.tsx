import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod/mini'
import { LOST_REASONS, type LostReasonsBody, lostReasonsBody } from '#app/leads/lead/stage.ts'
import { leadData } from '#app/leads/lead/use-lead-actions.tsx'
import { apiRequest } from '#app/platform/browser/api.ts'
import { Form } from '#app/ui/admin/form.tsx'
import { useForm } from '#app/ui/admin/use-form.ts'
import { Button } from '#app/ui/button.tsx'
import { Field } from '#app/ui/field.tsx'
import { Textarea } from '#app/ui/input.tsx'
import { SubmitButton } from '#app/ui/submit-button.tsx'
import { pipelineQuery } from './use-desk.tsx'

/** The reasons that staff choose from when a lead is lost, one a line. */
export function LostReasons({ mayWrite }: { mayWrite: boolean }) {
  const reasons = useQuery(pipelineQuery).data?.lostReasons
  if (!reasons) return null
  return (
    <section aria-labelledby="lost-reasons" className="mt-8 grid max-w-3xl grid-cols-1 gap-3">
      <h2 id="lost-reasons" className="text-h3">
        Reasons for lost leads
      </h2>
      {mayWrite ? (
        <ReasonsForm reasons={reasons} />
      ) : (
        <ul className="list-disc pl-5 text-small">
          {reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
    </section>
  )
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

function ReasonsForm({ reasons }: { reasons: readonly string[] }) {
  // The reasons that the person saw when they began to edit.
  const [base, setBase] = useState(reasons)
  const [text, setText] = useState(reasons.join('\n'))
  const isChanged = linesOf(text).join('\n') !== base.join('\n')
  const startOver = (from: readonly string[]) => {
    setBase(from)
    setText(from.join('\n'))
  }
  const form = useReasonsForm(base, startOver)
  return (
    <Form form={{ ...form, isChanged }} className="grid grid-cols-1 gap-3">
      <Field label="Reasons" name="reasons" tool hint="One per line. Leads keep their reason.">
        <Textarea rows={6} value={text} onChange={({ target }) => setText(target.value)} />
      </Field>
      <p className="flex flex-wrap gap-3">
        <SubmitButton {...(!isChanged && { unavailable: 'Nothing has changed.' })}>Save reasons</SubmitButton>
        {isChanged && (
          <Button type="button" look="quiet" onClick={() => startOver(reasons)}>
            Discard changes
          </Button>
        )}
      </p>
    </Form>
  )
}

function useReasonsForm(base: readonly string[], onSaved: (reasons: readonly string[]) => void) {
  const send = async (body: LostReasonsBody) => z.array(z.string()).parse(await (await apiRequest('PUT', LOST_REASONS, body)).json())
  return useForm({
    schema: lostReasonsBody,
    read: ({ reasons = '' }) => ({ reasons: linesOf(reasons), base }),
    assign: (errors) => Object.fromEntries(Object.values(errors).map((error) => ['reasons', error])),
    send,
    explain: ({ detail }) => ({ reasons: detail }),
    onDone: onSaved,
    done: 'Reasons saved',
    undo: (saved) => async () => onSaved(await send({ reasons: [...base], base: saved })),
    failed: 'Reasons not saved',
    touches: leadData,
  })
}
