//! The appendix in CloudFormation.

use super::made::{check, part};
use expect_test::expect;
use keywright::deliverables::DocumentKind;

#[test]
fn a_template_defines_exactly_the_attributes_of_the_keys() {
    let model = "
        application `A: b` { capacity provisioned utilization 50% }
        entity Order {
          order_id: ulid @id  user_id: uuid  status: string  total: number  placed_at: timestamp  expires: epoch
          count 1k  size 1KB
        }
        table `user-orders` {
          partition key user_id
          sort key order_id
          item Order
          gsi Open { partition key status, user_id  sort key total  projection include(placed_at) }
          lsi ByTime { sort key placed_at  projection keys_only }
          ttl expires
          stream new_and_old_images
          point_in_time_recovery
          class standard_infrequent_access
        }
        pattern Put { put Order into `user-orders` rate avg 10/s, peak 20/s }
        pattern Get { get Order from `user-orders` rate peak 20/s }
    ";
    check(
        model,
        DocumentKind::DataModel,
        "cloudformation",
        expect![[r###"
            ## Appendix: CloudFormation

            The tables as the model declares them. They are kept when the stack is deleted; their attribute definitions are exactly those of the keys.

            ```yaml
            AWSTemplateFormatVersion: "2010-09-09"
            Description: "The tables of A: b"
            Parameters:
              UserOrdersReadCapacityUnits:
                Type: Number
                MinValue: 1
                Description: "at least 1: needs rate avg of Get"
            Resources:
              UserOrders:
                Type: AWS::DynamoDB::Table
                DeletionPolicy: Retain
                UpdateReplacePolicy: Retain
                Properties:
                  TableName: user-orders
                  AttributeDefinitions:
                    - AttributeName: order_id
                      AttributeType: S
                    - AttributeName: placed_at
                      AttributeType: S
                    - AttributeName: status
                      AttributeType: S
                    - AttributeName: total
                      AttributeType: "N"
                    - AttributeName: user_id
                      AttributeType: S
                  KeySchema:
                    - AttributeName: user_id
                      KeyType: HASH
                    - AttributeName: order_id
                      KeyType: RANGE
                  BillingMode: PROVISIONED
                  ProvisionedThroughput:
                    ReadCapacityUnits: !Ref UserOrdersReadCapacityUnits
                    WriteCapacityUnits: 40
                  GlobalSecondaryIndexes:
                    - IndexName: Open
                      KeySchema:
                        - AttributeName: status
                          KeyType: HASH
                        - AttributeName: user_id
                          KeyType: HASH
                        - AttributeName: total
                          KeyType: RANGE
                      Projection:
                        ProjectionType: INCLUDE
                        NonKeyAttributes:
                          - placed_at
                      ProvisionedThroughput:
                        ReadCapacityUnits: 1
                        WriteCapacityUnits: 20
                  LocalSecondaryIndexes:
                    - IndexName: ByTime
                      KeySchema:
                        - AttributeName: user_id
                          KeyType: HASH
                        - AttributeName: placed_at
                          KeyType: RANGE
                      Projection:
                        ProjectionType: KEYS_ONLY
                  TableClass: STANDARD_INFREQUENT_ACCESS
                  TimeToLiveSpecification:
                    AttributeName: expires
                    Enabled: true
                  StreamSpecification:
                    StreamViewType: NEW_AND_OLD_IMAGES
                  PointInTimeRecoverySpecification:
                    PointInTimeRecoveryEnabled: true
              UserOrdersReadTarget:
                Type: AWS::ApplicationAutoScaling::ScalableTarget
                DependsOn: UserOrders
                Properties:
                  ServiceNamespace: dynamodb
                  ResourceId: table/user-orders
                  ScalableDimension: dynamodb:table:ReadCapacityUnits
                  MinCapacity: !Ref UserOrdersReadCapacityUnits
                  MaxCapacity: 20
              UserOrdersReadPolicy:
                Type: AWS::ApplicationAutoScaling::ScalingPolicy
                Properties:
                  PolicyName: UserOrdersReadPolicy
                  PolicyType: TargetTrackingScaling
                  ScalingTargetId: !Ref UserOrdersReadTarget
                  TargetTrackingScalingPolicyConfiguration:
                    PredefinedMetricSpecification:
                      PredefinedMetricType: DynamoDBReadCapacityUtilization
                    TargetValue: 50
              UserOrdersWriteTarget:
                Type: AWS::ApplicationAutoScaling::ScalableTarget
                DependsOn: UserOrders
                Properties:
                  ServiceNamespace: dynamodb
                  ResourceId: table/user-orders
                  ScalableDimension: dynamodb:table:WriteCapacityUnits
                  MinCapacity: 40
                  MaxCapacity: 80
              UserOrdersWritePolicy:
                Type: AWS::ApplicationAutoScaling::ScalingPolicy
                Properties:
                  PolicyName: UserOrdersWritePolicy
                  PolicyType: TargetTrackingScaling
                  ScalingTargetId: !Ref UserOrdersWriteTarget
                  TargetTrackingScalingPolicyConfiguration:
                    PredefinedMetricSpecification:
                      PredefinedMetricType: DynamoDBWriteCapacityUtilization
                    TargetValue: 50
              UserOrdersOpenWriteTarget:
                Type: AWS::ApplicationAutoScaling::ScalableTarget
                DependsOn: UserOrders
                Properties:
                  ServiceNamespace: dynamodb
                  ResourceId: table/user-orders/index/Open
                  ScalableDimension: dynamodb:index:WriteCapacityUnits
                  MinCapacity: 20
                  MaxCapacity: 40
              UserOrdersOpenWritePolicy:
                Type: AWS::ApplicationAutoScaling::ScalingPolicy
                Properties:
                  PolicyName: UserOrdersOpenWritePolicy
                  PolicyType: TargetTrackingScaling
                  ScalingTargetId: !Ref UserOrdersOpenWriteTarget
                  TargetTrackingScalingPolicyConfiguration:
                    PredefinedMetricSpecification:
                      PredefinedMetricType: DynamoDBWriteCapacityUtilization
                    TargetValue: 50
            ```

            - The parameter `UserOrdersReadCapacityUnits` is at least 1: needs rate avg of Get.
            - Auto scaling raises the units of `user-orders` up to what the peaks take. It follows a load that stays for some minutes; what is shorter draws on the units of the last five minutes that were not used, and is then throttled.
        "###]],
    );
}

#[test]
fn auto_scaling_follows_the_peaks_of_what_is_provisioned_for_less() {
    let made = |capacity: &str, peak: &str| {
        let model = format!(
            "application A {{ capacity {capacity} }}
            entity E {{ id: ulid @id  at: timestamp  count 1k  size 1KB }}
            table `e.s` {{ partition key id  item E  gsi ByTime {{ partition key at }} }}
            pattern Put {{ put E into `e.s` if not_exists rate avg 7/s, peak {peak} }}"
        );
        part(&model, DocumentKind::DataModel, "cloudformation")
    };
    for none in [made("on_demand", "700/s"), made("provisioned utilization 70%", "7/s")] {
        assert!(!none.contains("AutoScaling") && !none.contains("Auto scaling"), "{none}");
    }
    let scaled = made("provisioned utilization 70%", "700/s");
    for said in [
        "  ESWriteTarget:\n    Type: AWS::ApplicationAutoScaling::ScalableTarget\n    DependsOn: ES\n",
        "      ResourceId: table/e.s\n      ScalableDimension: dynamodb:table:WriteCapacityUnits\n      \
         MinCapacity: 10\n      MaxCapacity: 1000\n",
        "      ResourceId: table/e.s/index/ByTime\n      ScalableDimension: dynamodb:index:WriteCapacityUnits\n",
        "      ScalingTargetId: !Ref ESWriteTarget\n",
        "PredefinedMetricType: DynamoDBWriteCapacityUtilization\n        TargetValue: 70\n",
        "\n- Auto scaling raises the units of `e.s` up to what the peaks take.",
    ] {
        assert!(scaled.contains(said), "{said}\n in {scaled}");
    }
    assert!(!scaled.contains("ReadCapacityUtilization"), "nothing reads it: {scaled}");
    let unknown = "application A { capacity provisioned }
        entity E { id: ulid @id  count 1k  size 1KB }
        table T { partition key id  item E }
        pattern Put { put E into T if not_exists rate avg 7/s }";
    let unknown = part(unknown, DocumentKind::DataModel, "cloudformation");
    assert!(unknown.contains("MaxCapacity: !Ref TWriteCapacityMost\n"), "{unknown}");
    assert!(unknown.contains("The parameter `TWriteCapacityMost` is at least 1: needs"), "{unknown}");
}

#[test]
fn what_a_template_cannot_say_is_said_beside_it() {
    let model = "
        table Untyped { partition key id }
        table Half { sort key x }
        table { partition key id: string }
        table Sound {
          partition key id: string
          gsi Loose { partition key nothing }
          gsi Twice { partition key id }
          gsi Twice { partition key id }
        }
    ";
    check(
        model,
        DocumentKind::DataModel,
        "cloudformation",
        expect![[r###"
            ## Appendix: CloudFormation

            The tables as the model declares them. They are kept when the stack is deleted; their attribute definitions are exactly those of the keys.

            ```yaml
            AWSTemplateFormatVersion: "2010-09-09"
            Description: "The tables of the model"
            Resources:
              Sound:
                Type: AWS::DynamoDB::Table
                DeletionPolicy: Retain
                UpdateReplacePolicy: Retain
                Properties:
                  TableName: Sound
                  AttributeDefinitions:
                    - AttributeName: id
                      AttributeType: S
                  KeySchema:
                    - AttributeName: id
                      KeyType: HASH
                  BillingMode: PAY_PER_REQUEST
                  GlobalSecondaryIndexes:
                    - IndexName: Twice
                      KeySchema:
                        - AttributeName: id
                          KeyType: HASH
                      Projection:
                        ProjectionType: ALL
            ```

            - `Untyped` is left out: the type of its key `id` is not declared.
            - `Half` is left out: it has no partition key.
            - Errors stand against `Half`: `key-shape-invalid`.
            - A table without a name is left out.
            - The index `Sound.Loose` is left out: the type of its key `nothing` is not declared.
            - The index `Sound.Twice` is left out: there is another one of this name.
            - Errors stand against `Sound`: `duplicate-name`.
        "###]],
    );
    let empty = part("", DocumentKind::DataModel, "cloudformation");
    assert_eq!(empty, "## Appendix: CloudFormation\n\nThe model declares no table.\n");
}
