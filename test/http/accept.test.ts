import { describe, expect, test } from 'vitest'
import { acceptsProblem, prefersJson } from '../../src/http/accept.ts'

const FIREFOX = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'

describe('JSON is preferred to HTML (RFC 9110, 12.5.1)', () => {
  test.for<[accept: string | undefined, isPreferred: boolean]>([
    ['application/json', true],
    ['Application/JSON; charset=utf-8', true],
    ['application/json, */*;q=0.8', true],
    ['application/json, text/html;q=0.9', true],
    ['application/*', true],
    ['application/*, text/html;q=0.5', true],
    ['text/html;q=0, application/json;q=0.001', true],
    ['application/json ; Q=0.7 , */* ; q=0.5', true],
    ['application/json;q=0.2, application/json;q=0.9, text/html;q=0.5', true],
    // Both are as welcome: browsers and most programs.
    [undefined, false],
    ['', false],
    ['*/*', false],
    [FIREFOX, false],
    ['application/json, text/plain, */*', false],
    ['text/html, application/json', false],
    ['application/json;q=0.5, text/html;q=0.5', false],
    // HTML is preferred, or JSON refused. The more specific range decides.
    ['application/json;q=0.5, text/*', false],
    ['application/json;q=0, */*', false],
    ['application/*, application/json;q=0', false],
    // Other types, and what is no Accept header.
    ['application/ld+json', false],
    ['application/problem+json', false],
    ['application/json;q=2', false],
    ['application/json;q=nonsense', false],
    ['json', false],
    [`${'a/b,'.repeat(300)}application/json`, false],
  ])('%s: %s', ([accept, isPreferred]) => {
    expect(prefersJson(accept)).toBe(isPreferred)
  })
})

describe('Problem Details are named', () => {
  test.for<[accept: string | undefined, isNamed: boolean]>([
    ['application/problem+json', true],
    ['application/json, Application/Problem+JSON;q=0.1', true],
    ['application/problem+json;q=0', false],
    ['application/json', false],
    ['application/*', false],
    ['*/*', false],
    [undefined, false],
  ])('%s: %s', ([accept, isNamed]) => {
    expect(acceptsProblem(accept)).toBe(isNamed)
  })
})
