import { Button } from '#app/ui/button.tsx'
import { Empty } from '#app/ui/empty.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { QuestionList } from '#app/ui/questions.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { GallerySection } from './gallery-section.tsx'

const nothing = () => undefined

export function States() {
  return (
    <GallerySection title="Waiting, failing, empty">
      <div className="grid gap-8 md:grid-cols-2">
        <div>
          <Loading>Loading dashboard...</Loading>
          <Skeleton lines={5} />
        </div>
        <div className="grid content-start gap-4">
          <Failed error={new Error('503: unavailable')} retry={nothing} />
          <Failed title="The figures did not load" error={Object.assign(new Error('403'), { detail: 'These figures are for staff.' })} />
        </div>
      </div>
      <Empty title="No enquiries yet" action={<Button type="button">Write a test enquiry</Button>}>
        Enquiries from the contact form appear here the moment they are sent.
      </Empty>
      <Empty title="Nothing was rejected">Rows that break one of your rules appear here.</Empty>
    </GallerySection>
  )
}

const questions = [
  { id: 'gallery-cost', question: 'What does it cost?', answer: ['A fixed price for each source, named before we begin.'] },
  {
    id: 'gallery-change',
    question: 'What if a site changes?',
    answer: ['We notice, because each run is checked.', 'The repair is part of the price.'],
  },
]

export function Answers() {
  return (
    <GallerySection title="Questions">
      <QuestionList name="gallery" questions={questions} />
    </GallerySection>
  )
}
