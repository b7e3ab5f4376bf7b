import { parseAst } from 'vitest/node'
import { type Feature, featureAt, lacking, type Tables } from './compatibility.ts'

/** Features that some browser of the target lacks: their paths in the tables, and these browsers. */
export type Missing = Map<string, string[]>

interface Node {
  type: string
  [key: string]: unknown
}

/** The names that a script uses, by how it uses them. */
interface ScriptNames {
  /** Such as `URL.parse` of a global object. */
  statics: Set<string>
  globals: Set<string>
  /** Names of properties of any object. */
  properties: Set<string>
  iteratesStreams: boolean
}

/**
 * Returns the features of a script that some browser lacks. Objects have no types here, so a property is missing if it
 * is missing in every interface that has one of this name.
 */
export function missingInScript(source: string, tables: Tables): Missing {
  const { statics, globals, properties, iteratesStreams } = namesIn(source)
  const missing: Missing = new Map()
  const { api, javascript } = tables
  const builtins = featureAt(javascript, 'builtins') ?? {}
  const note = (path: string, feature: Feature | undefined) => {
    const browsers = lacking(feature)
    if (browsers.length > 0) missing.set(path, browsers)
  }
  for (const name of statics) {
    const [owner = '', member = ''] = name.split('.')
    note(name, featureAt(api, owner, `${member}_static`) ?? featureAt(builtins, owner, member))
  }
  for (const name of globals) {
    note(name, featureAt(builtins, name) ?? featureAt(api, name) ?? featureAt(api, 'Window', name))
  }
  const interfaces = interfacesOf(api, builtins)
  for (const name of properties) {
    const lacks = interfaces.flatMap((one) => (featureAt(one, name) ? [lacking(featureAt(one, name))] : []))
    const [first] = lacks
    if (first && lacks.every((browsers) => browsers.length > 0)) missing.set(`.${name}`, first)
  }
  if (iteratesStreams) note('for await', featureAt(api, 'ReadableStream', '@@asyncIterator'))
  return missing
}

/** The interfaces that all browsers have: nothing leads to the properties of another one without naming it. */
function interfacesOf(...chapters: readonly Feature[]): Feature[] {
  const all = chapters.flatMap((chapter) => Object.keys(chapter).map((name) => featureAt(chapter, name)))
  return all.filter((one) => one !== undefined).filter((one) => lacking(one).length === 0)
}

function namesIn(source: string): ScriptNames {
  const names: ScriptNames = { statics: new Set(), globals: new Set(), properties: new Set(), iteratesStreams: false }
  visit(parseAst(source) as unknown as Node)
  return names

  function visit(node: Node): void {
    if (node.type === 'ForOfStatement' && node.await === true) names.iteratesStreams = true
    if (node.type === 'MemberExpression' && !node.computed) {
      const [object, property] = [nodeOf(node.object), nameOf(node.property)]
      const owner = nameOf(object)
      if (owner === 'window' || owner === 'self' || owner === 'globalThis') names.globals.add(property)
      else if (/^[A-Z]/.test(owner)) names.statics.add(`${owner}.${property}`)
      else names.properties.add(property)
      if (object) visit(object)
      return
    }
    if (node.type === 'ObjectPattern') {
      for (const property of nodesIn(node.properties)) if (property.key) names.properties.add(nameOf(property.key))
    }
    // Minified, names of a script's own have a few letters.
    if (node.type === 'Identifier' && nameOf(node).length > 3) names.globals.add(nameOf(node))
    for (const [key, value] of Object.entries(node)) {
      const isName = key === 'key' && !node.computed
      if (!isName) for (const child of nodesIn(value)) visit(child)
    }
  }
}

function nodesIn(value: unknown): Node[] {
  return [value].flat().flatMap((one) => nodeOf(one) ?? [])
}

function nodeOf(value: unknown): Node | undefined {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
    ? (value as Node)
    : undefined
}

function nameOf(value: unknown): string {
  const node = nodeOf(value)
  return node?.type === 'Identifier' && typeof node.name === 'string' ? node.name : ''
}

/** Returns the features of a style sheet that some browser lacks. */
export function missingInStyle(source: string, { css }: Tables): Missing {
  const missing: Missing = new Map()
  const note = (name: string, ...path: string[]): boolean => {
    const browsers = lacking(featureAt(css, ...path))
    if (browsers.length > 0) missing.set(name, browsers)
    return browsers.length > 0
  }
  const style = source.replaceAll(/\/\*.*?\*\/|"[^"]*"|url\([^)]*\)/gs, '""')
  for (const [, prelude = ''] of style.matchAll(/([^{};]+)\{/g)) {
    const [, rule = '', query = ''] = /^\s*@([a-z-]+)(.*)$/s.exec(prelude) ?? []
    if (rule === '') for (const [, name = ''] of prelude.matchAll(/::?([a-z-]+)/g)) note(`:${name}`, 'selectors', name)
    else note(`@${rule}`, 'at-rules', rule)
    if (rule !== 'media') continue
    for (const [, name = ''] of query.matchAll(/\(([a-z-]+)/g)) note(`@media (${name})`, 'at-rules', rule, name)
    if (/[<>]/.test(query)) note('@media (width < 1px)', 'at-rules', rule, 'range_syntax')
  }
  for (const [, property = '', value = ''] of style.matchAll(/[{;]\s*([a-z-]+)\s*:([^;{}]*)/g)) {
    if (note(property, 'properties', property)) continue
    for (const [word] of value.matchAll(/[a-z][a-z0-9-]*/g)) note(`${property}: ${word}`, 'properties', property, word)
    for (const [, name = ''] of value.matchAll(/([a-z-]+)\(/g)) {
      for (const path of [[name], ['color', name], ['image', name], ['gradient', name]])
        note(`${name}()`, 'types', ...path)
    }
    for (const [, unit = ''] of value.matchAll(/\d([a-z]+)/g)) note(`1${unit}`, 'types', 'length', unit)
  }
  return missing
}
