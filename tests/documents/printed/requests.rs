//! Requests as a whole, in both their forms.

use super::made::{SHOP, check, part};
use expect_test::expect;
use keywright::deliverables::DocumentKind;

#[test]
fn a_write_has_its_inputs_as_constants_and_its_keys_as_template_strings() {
    check(
        SHOP,
        DocumentKind::DataModel,
        "request PlaceOrder",
        expect![[r#####"
            #### 6 PlaceOrder

            ```ts
            import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
            import { DynamoDBDocumentClient, TransactWriteCommand } from "@aws-sdk/lib-dynamodb";

            const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));

            const clientRequestToken = "8364cf6f-74aa-487f-8eeb-d9633d8f596d"; // a new one for each call, and the same where it is tried again
            const customerName = "Ana Silva";
            const lines = [
              { line_no: 1, price: 12.9, quantity: 1, sku: "BOOK-0042" },
              { line_no: 2, price: 20.35, quantity: 2, sku: "BOOK-0043" },
              { line_no: 3, price: 27.8, quantity: 3, sku: "BOOK-0044" },
            ];
            const openStatus = "paid";
            const orderId = "01KMCR9CWNSQMZB8BNZSQJNEPV";
            const placedAt = "2026-03-23T07:07:00Z";
            const status = "open";
            const total = 137;
            const userId = "ad258014-2dc1-4b6d-8b72-fb89e24a8cf2";
            const warehouse = "LIS1";
            const sku = "BOOK-0042";
            const quantity = 1;
            const stock = 39;
            const sku2 = "BOOK-0043";
            const quantity2 = 2;
            const stock2 = 45;

            // A call takes 3 items of Product; 2 are shown, the others are alike.
            // This sets stock to what the caller computed from a value read before: of two calls at once, the
            // later undoes the earlier; count in the update instead (stock = stock - :quantity), or compare a
            // version.
            await client.send(new TransactWriteCommand({
              ClientRequestToken: clientRequestToken,
              TransactItems: [
                {
                  Put: {
                    TableName: "UserOrders",
                    Item: {
                      customer_name: customerName,
                      lines,
                      open_status: openStatus,
                      order_id: orderId,
                      placed_at: placedAt,
                      sk: `ORDER#${orderId}`,
                      status,
                      total,
                      user_id: userId,
                      warehouse,
                    },
                    ConditionExpression: "attribute_not_exists(user_id)",
                  },
                },
                {
                  Update: {
                    TableName: "Products",
                    Key: { sku },
                    UpdateExpression: "SET stock = :stock",
                    ConditionExpression: "stock >= :quantity",
                    ExpressionAttributeValues: { ":quantity": quantity, ":stock": stock },
                  },
                },
                {
                  Update: {
                    TableName: "Products",
                    Key: { sku: sku2 },
                    UpdateExpression: "SET stock = :stock",
                    ConditionExpression: "stock >= :quantity",
                    ExpressionAttributeValues: { ":quantity": quantity2, ":stock": stock2 },
                  },
                },
              ],
            }));
            ```

            ```sh
            aws dynamodb transact-write-items \
              --client-request-token 8364cf6f-74aa-487f-8eeb-d9633d8f596d \
              --transact-items '[
                {
                  "Put": {
                    "TableName": "UserOrders",
                    "Item": {
                      "customer_name": {"S": "Ana Silva"},
                      "lines": {
                        "L": [
                          {
                            "M": {
                              "line_no": {"N": "1"},
                              "price": {"N": "12.9"},
                              "quantity": {"N": "1"},
                              "sku": {"S": "BOOK-0042"}
                            }
                          },
                          {
                            "M": {
                              "line_no": {"N": "2"},
                              "price": {"N": "20.35"},
                              "quantity": {"N": "2"},
                              "sku": {"S": "BOOK-0043"}
                            }
                          },
                          {
                            "M": {
                              "line_no": {"N": "3"},
                              "price": {"N": "27.8"},
                              "quantity": {"N": "3"},
                              "sku": {"S": "BOOK-0044"}
                            }
                          }
                        ]
                      },
                      "open_status": {"S": "paid"},
                      "order_id": {"S": "01KMCR9CWNSQMZB8BNZSQJNEPV"},
                      "placed_at": {"S": "2026-03-23T07:07:00Z"},
                      "sk": {"S": "ORDER#01KMCR9CWNSQMZB8BNZSQJNEPV"},
                      "status": {"S": "open"},
                      "total": {"N": "137"},
                      "user_id": {"S": "ad258014-2dc1-4b6d-8b72-fb89e24a8cf2"},
                      "warehouse": {"S": "LIS1"}
                    },
                    "ConditionExpression": "attribute_not_exists(user_id)"
                  }
                },
                {
                  "Update": {
                    "TableName": "Products",
                    "Key": {"sku": {"S": "BOOK-0042"}},
                    "UpdateExpression": "SET stock = :stock",
                    "ConditionExpression": "stock >= :quantity",
                    "ExpressionAttributeValues": {":quantity": {"N": "1"}, ":stock": {"N": "39"}}
                  }
                },
                {
                  "Update": {
                    "TableName": "Products",
                    "Key": {"sku": {"S": "BOOK-0043"}},
                    "UpdateExpression": "SET stock = :stock",
                    "ConditionExpression": "stock >= :quantity",
                    "ExpressionAttributeValues": {":quantity": {"N": "2"}, ":stock": {"N": "45"}}
                  }
                }
              ]'
            ```

            - Product: the `sku` of each: the `sku` of each OrderLine that the call puts.
            - Two calls at once can undo each other: see *Implementation Notes* in the access pattern mapping.
        "#####]],
    );
}

#[test]
fn a_read_follows_its_pages_as_far_as_the_model_does() {
    check(
        SHOP,
        DocumentKind::DataModel,
        "request OrderHistory",
        expect![[r#####"
        #### 5 OrderHistory

        ```ts
        import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
        import { DynamoDBDocumentClient, paginateQuery } from "@aws-sdk/lib-dynamodb";

        const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));

        const userId = "ad258014-2dc1-4b6d-8b72-fb89e24a8cf2";

        const items: Record<string, unknown>[] = [];
        let pagesLeft = 50;
        for await (const page of paginateQuery({ client, pageSize: 20 }, {
          TableName: "UserOrders",
          KeyConditionExpression: "user_id = :user_id AND begins_with(sk, :sk_prefix)",
          ExpressionAttributeValues: { ":sk_prefix": "ORDER#", ":user_id": userId },
          ScanIndexForward: false,
        })) {
          items.push(...(page.Items ?? []));
          pagesLeft -= 1;
          if (pagesLeft === 0) break;
        }
        ```

        ```sh
        aws dynamodb query \
          --table-name UserOrders \
          --key-condition-expression 'user_id = :user_id AND begins_with(sk, :sk_prefix)' \
          --expression-attribute-values '{
            ":sk_prefix": {"S": "ORDER#"},
            ":user_id": {"S": "ad258014-2dc1-4b6d-8b72-fb89e24a8cf2"}
          }' \
          --no-scan-index-forward \
          --page-size 20 \
          --max-items 1000
        ```
    "#####]],
    );
    // All that there is, where nothing bounds it.
    let model = "
        entity Note { user_id: uuid @id  note_id: ulid @id  day: timestamp }
        table Notes {
          partition key user_id
          sort key note_id
          item Note
          gsi ByDay { partition key bucket: string  sort key note_id }
        }
        pattern All { query Notes where user_id = :user_id }
    ";
    check(
        model,
        DocumentKind::DataModel,
        "request All",
        expect![[r#####"
        #### 1 All

        ```ts
        import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
        import { DynamoDBDocumentClient, paginateQuery } from "@aws-sdk/lib-dynamodb";

        const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));

        const userId = "1e1ffc62-904f-481b-84e9-db393a8a662c";

        const items: Record<string, unknown>[] = [];
        for await (const page of paginateQuery({ client }, {
          TableName: "Notes",
          KeyConditionExpression: "user_id = :user_id",
          ExpressionAttributeValues: { ":user_id": userId },
        })) {
          items.push(...(page.Items ?? []));
        }
        ```

        ```sh
        aws dynamodb query \
          --table-name Notes \
          --key-condition-expression 'user_id = :user_id' \
          --expression-attribute-values '{":user_id": {"S": "1e1ffc62-904f-481b-84e9-db393a8a662c"}}'
        ```
    "#####]],
    );
}

#[test]
fn batches_are_sent_again_until_nothing_is_left() {
    let model = "
        entity Note { note_id: ulid @id  text: string }
        table Notes { partition key note_id  item Note }
        pattern Some { batch get { get Note from Notes times 30 } }
        pattern Drop { batch write { delete Note from Notes times 2 } }
    ";
    check(
        model,
        DocumentKind::DataModel,
        "request Some",
        expect![[r#####"
            #### 1 Some

            ```ts
            import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
            import {
              BatchGetCommand,
              type BatchGetCommandInput,
              type BatchGetCommandOutput,
              DynamoDBDocumentClient,
            } from "@aws-sdk/lib-dynamodb";

            const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));

            const noteId = "01KJPSTT88HSGNG8B8AJ0VVCT5";
            const noteId2 = "01KJSMPH8CGJC97DZCHQVAJ3YC";

            // A call takes 30 items of Note; 2 are shown, the others are alike.
            const items: Record<string, unknown>[] = [];
            let requestItems: BatchGetCommandInput["RequestItems"] = { Notes: { Keys: [{ note_id: noteId }, { note_id: noteId2 }] } };
            while (requestItems && Object.keys(requestItems).length > 0) {
              const { Responses: found = {}, UnprocessedKeys: left }: BatchGetCommandOutput = await client.send(
                new BatchGetCommand({ RequestItems: requestItems }),
              );
              items.push(...Object.values(found).flat());
              requestItems = left;
            }
            ```

            ```sh
            aws dynamodb batch-get-item \
              --request-items '{
                "Notes": {
                  "Keys": [
                    {"note_id": {"S": "01KJPSTT88HSGNG8B8AJ0VVCT5"}},
                    {"note_id": {"S": "01KJSMPH8CGJC97DZCHQVAJ3YC"}}
                  ]
                }
              }'
            ```

            - Note: the `note_id` of each: the caller supplies them, no pattern finds them by what this call is given.
        "#####]],
    );
    check(
        model,
        DocumentKind::DataModel,
        "request Drop",
        expect![[r#####"
        #### 2 Drop

        ```ts
        import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
        import {
          BatchWriteCommand,
          type BatchWriteCommandInput,
          type BatchWriteCommandOutput,
          DynamoDBDocumentClient,
        } from "@aws-sdk/lib-dynamodb";

        const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));

        const noteId = "01KJPSTT88HSGNG8B8AJ0VVCT5";
        const noteId2 = "01KJSMPH8CGJC97DZCHQVAJ3YC";

        let requestItems: BatchWriteCommandInput["RequestItems"] = {
          Notes: [
            { DeleteRequest: { Key: { note_id: noteId } } },
            { DeleteRequest: { Key: { note_id: noteId2 } } },
          ],
        };
        while (requestItems && Object.keys(requestItems).length > 0) {
          const { UnprocessedItems: left }: BatchWriteCommandOutput = await client.send(
            new BatchWriteCommand({ RequestItems: requestItems }),
          );
          requestItems = left;
        }
        ```

        ```sh
        aws dynamodb batch-write-item \
          --request-items '{
            "Notes": [
              {"DeleteRequest": {"Key": {"note_id": {"S": "01KJPSTT88HSGNG8B8AJ0VVCT5"}}}},
              {"DeleteRequest": {"Key": {"note_id": {"S": "01KJSMPH8CGJC97DZCHQVAJ3YC"}}}}
            ]
          }'
        ```

        - Note: the `note_id` of each: the caller supplies them, no pattern finds them by what this call is given.
    "#####]],
    );
}

#[test]
fn values_of_all_types_are_those_of_the_document_client() {
    let model = "
        entity `Odd one` {
          `class`: string @id @example(\"it's `a` ${b} \\\\ \\\"c\\\"\")
          picture: binary
          pictures: set<binary>
          flags: set<string>
          sums: set<number>
          rest: map
          status: string
          shard_of: number
        }
        table Odd {
          partition key pk: string
          sort key sk: string
          item `Odd one` { pk = \"`${{\\\\#{`class`:upper}\"  sk = \"{shard(`class`, 8)}#{shard_of:6}\" }
        }
        pattern Put { put `Odd one` into Odd }
    ";
    check(
        model,
        DocumentKind::DataModel,
        "request Put",
        expect![[r#####"
            #### 1 Put

            ```ts
            import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
            import { DynamoDBDocumentClient, PutCommand } from "@aws-sdk/lib-dynamodb";

            const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));

            const classValue = "it's `a` ${b} \\ \"c\" 8";
            const flags = new Set(["flags 8", "flags 9"]);
            const picture = Buffer.from("TI/39C179Xg=", "base64");
            const pictures = new Set([Buffer.from("mqfbN5vx09k=", "base64"), Buffer.from("wXOdAFYCCh8=", "base64")]);
            const rest = { note: "rest 8" };
            const shardOf = 8;
            const classShard = "6"; // the shard of this class: its hash modulo 8
            const status = "archived";
            const sums = new Set([8, 9]);

            await client.send(new PutCommand({
              TableName: "Odd",
              Item: {
                class: classValue,
                flags,
                picture,
                pictures,
                pk: `\`\${\\#${classValue.toUpperCase()}`,
                rest,
                shard_of: shardOf,
                sk: `${classShard}#${String(shardOf).padStart(6, "0")}`,
                status,
                sums,
              },
            }));
            ```

            ```sh
            aws dynamodb put-item \
              --table-name Odd \
              --item '{
                "class": {"S": "it'\''s `a` ${b} \\ \"c\" 8"},
                "flags": {"SS": ["flags 8", "flags 9"]},
                "picture": {"B": "TI/39C179Xg="},
                "pictures": {"BS": ["mqfbN5vx09k=", "wXOdAFYCCh8="]},
                "pk": {"S": "`${\\#IT'\''S `A` ${B} \\ \"C\" 8"},
                "rest": {"M": {"note": {"S": "rest 8"}}},
                "shard_of": {"N": "8"},
                "sk": {"S": "6#000008"},
                "status": {"S": "archived"},
                "sums": {"NS": ["8", "9"]}
              }'
            ```
        "#####]],
    );
}

#[test]
fn where_there_is_no_request_the_reason_is_given() {
    for (pattern, said) in [
        ("pattern P { reads A by id }", "The model has no operation for it."),
        (
            "pattern P { reads A external \"OpenSearch\" because \"Full text.\" }",
            "Answered outside DynamoDB: OpenSearch. Full text.",
        ),
        ("pattern P { get A from Nowhere }", "- There is no request for `get A Nowhere`: "),
    ] {
        let model = format!("entity A {{ id: uuid @id }} table T {{ partition key id item A }} {pattern}");
        let text = part(&model, DocumentKind::DataModel, "request P");
        assert!(text.starts_with("#### 1 P\n\n"), "{text}");
        assert!(text.contains(said), "{text}");
        assert!(!text.contains("```"), "{text}");
    }
}
