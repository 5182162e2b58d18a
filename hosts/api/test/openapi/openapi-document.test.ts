import { Validator } from '@seriousme/openapi-schema-validator';
import { AppError, errorCodes } from '@palimpsest/core';
import { expect } from 'chai';
import type { Request, Response } from 'express';
import { errorHandler } from '../../src/http/error-response.ts';
import { errorTable, isPublicCode, publicCodes, type HttpCode } from '../../src/http/error-table.ts';
import { HttpError } from '../../src/http/http-error.ts';
import { aDocument, escaped, examplesOf, operations } from '../described-api.ts';
import { ResponseCheck } from '../response-check.ts';

const check = new ResponseCheck();

const expectNoFaults = (pointer: string, value: unknown): void => {
  expect(check.faultsOf(pointer, value), `${pointer} ${JSON.stringify(value)}`).to.deep.equal([]);
};

describe('the OpenAPI document', () => {
  it('is a valid OpenAPI 3.1 document', async () => {
    const result = await new Validator().validate({ ...aDocument() });
    expect(result.errors ?? []).to.deep.equal([]);
    expect(result.valid).to.equal(true);
    expect(aDocument().openapi).to.match(/^3\.1\./);
    expect(aDocument().servers?.[0]?.url).to.equal('https://docs.example.org/ocr');
    expect(aDocument().info.version).to.equal('1.2.3');
  });

  it('gives every operation a unique id, a summary and a known tag', () => {
    const names = operations.map(({ operation }) => operation.operationId);
    expect(new Set(names).size).to.equal(names.length);
    const tags = aDocument().tags?.map(({ name }) => name) ?? [];
    for (const { path, operation } of operations) {
      expect(operation.summary, path).to.match(/^[A-Z]/);
      expect(tags, path).to.include.members([...operation.tags]);
    }
  });

  it('has an example for every parameter and every JSON body', () => {
    for (const { path, operation } of operations) {
      for (const parameter of operation.parameters ?? []) {
        expect(examplesOf(parameter), `${path} ${parameter.name}`).not.to.deep.equal([]);
        expect(parameter.description, `${path} ${parameter.name}`).to.match(/\.$/);
      }
      const contents = [operation.requestBody, ...Object.values(operation.responses)].flatMap((part) =>
        Object.entries(part?.content ?? {}),
      );
      for (const [type, content] of contents) {
        if (type === 'application/json' && path !== '/openapi.json')
          expect(examplesOf(content), path).not.to.deep.equal([]);
      }
    }
  });

  it('has only examples that match their schemas', () => {
    let examples = 0;
    const checkExamples = (pointer: string, content: Parameters<typeof examplesOf>[0]): void => {
      for (const example of examplesOf(content)) {
        expectNoFaults(`${pointer}/schema`, example);
        examples++;
      }
    };
    for (const { pointer, operation } of operations) {
      operation.parameters?.forEach((parameter, i) => checkExamples(`${pointer}/parameters/${i}`, parameter));
      for (const [type, content] of Object.entries(operation.requestBody?.content ?? {}))
        checkExamples(`${pointer}/requestBody/content/${escaped(type)}`, content);
      for (const [status, response] of Object.entries(operation.responses)) {
        for (const [type, content] of Object.entries(response.content ?? {}))
          checkExamples(`${pointer}/responses/${status}/content/${escaped(type)}`, content);
      }
    }
    const { responses = {}, headers = {} } = aDocument().components ?? {};
    for (const [name, response] of Object.entries(responses)) {
      for (const [type, content] of Object.entries('content' in response ? response.content : {})) {
        checkExamples(
          `/components/responses/${name}/content/${escaped(type)}`,
          content as Parameters<typeof examplesOf>[0],
        );
      }
    }
    for (const [name, header] of Object.entries(headers))
      checkExamples(`/components/headers/${name}`, header as Parameters<typeof examplesOf>[0]);
    expect(examples).to.be.above(150);
  });

  it('has only schemas that accept their own examples', () => {
    let examples = 0;
    const visit = (value: unknown, pointer: string): void => {
      if (typeof value !== 'object' || value === null) return;
      if ('examples' in value && Array.isArray(value.examples)) {
        for (const example of value.examples) {
          expectNoFaults(pointer, example);
          examples++;
        }
      }
      for (const [key, part] of Object.entries(value))
        if (key !== 'examples' && key !== 'example') visit(part, `${pointer}/${escaped(key)}`);
    };
    visit(aDocument().components?.schemas, '/components/schemas');
    visit(aDocument().paths, '/paths');
    expect(examples).to.be.above(30);
  });

  it('lists every error code that the API can return, with its status', () => {
    const answered = (error: unknown): { status: number; code: string } => {
      let status = 0;
      let body = '';
      const res = {
        locals: {},
        headersSent: false,
        status: (given: number) => ((status = given), res),
        set: () => res,
        removeHeader: () => {},
        type: () => res,
        send: (text: string) => (body = text),
      } as unknown as Response;
      const log = { error: () => {} } as unknown as Parameters<typeof errorHandler>[0];
      errorHandler(log)(error, { complete: true, headers: {} } as Request, res, () => {});
      return { status, code: (JSON.parse(body) as { error: { code: string } }).error.code };
    };
    for (const code of errorCodes) {
      const expected = isPublicCode(code)
        ? { status: errorTable[code].status, code }
        : { status: 500, code: 'INTERNAL_ERROR' };
      expect(answered(new AppError(code, 'A sentence.')), code).to.deep.equal(expected);
    }
    const ofHttp = publicCodes.filter(
      (code) => !(errorCodes as readonly string[]).includes(code) && code !== 'HEADERS_TOO_LARGE',
    );
    for (const code of ofHttp)
      expect(answered(new HttpError(code as HttpCode, 'A sentence.'))).to.deep.equal({
        status: errorTable[code].status,
        code,
      });
  });
});
