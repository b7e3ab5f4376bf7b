import { expect, test } from 'vitest'
import { prometheusText } from '../../../src/http/responses/prometheus.ts'

test('a metric has its help, its type, and a line for each number; texts are escaped, and values without a number are left out', () => {
  const text = prometheusText([
    {
      name: 'a_total',
      type: 'counter',
      help: 'Back\\slash and\nline.',
      samples: [
        { labels: {}, value: 3 },
        { labels: { one: 'q"b\\n\n', two: 'x' }, value: 0.5 },
      ],
    },
    { name: 'nothing', type: 'gauge', help: 'Nothing.', samples: [] },
    {
      name: 'h',
      type: 'histogram',
      help: 'Times.',
      samples: [{ suffix: '_bucket', labels: { le: '+Inf' }, value: 1e21 }],
    },
  ])
  expect(text).toBe(`# HELP a_total Back\\\\slash and\\nline.
# TYPE a_total counter
a_total 3
a_total{one="q\\"b\\\\n\\n",two="x"} 0.5
# HELP h Times.
# TYPE h histogram
h_bucket{le="+Inf"} 1e+21
`)
})
