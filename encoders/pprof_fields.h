/*
 * pprof_fields.h - the field numbers of profile.proto (package perftools.profiles) that we write
 * and read.
 */
#ifndef RP_PPROF_FIELDS_H
#define RP_PPROF_FIELDS_H

enum rp_wire { RP_WIRE_VARINT = 0, RP_WIRE_FIXED64 = 1, RP_WIRE_BYTES = 2, RP_WIRE_FIXED32 = 5 };

enum rp_pprof_profile_field {
    RP_PROFILE_SAMPLE_TYPE = 1,
    RP_PROFILE_SAMPLE = 2,
    RP_PROFILE_MAPPING = 3,
    RP_PROFILE_LOCATION = 4,
    RP_PROFILE_FUNCTION = 5,
    RP_PROFILE_STRING = 6,
    RP_PROFILE_TIME_NANOS = 9,
    RP_PROFILE_DURATION_NANOS = 10,
    RP_PROFILE_PERIOD_TYPE = 11,
    RP_PROFILE_PERIOD = 12,
    RP_PROFILE_COMMENT = 13,
    RP_PROFILE_DEFAULT_TYPE = 14,
    RP_PROFILE_DOC_URL = 15,
};

enum rp_pprof_value_type_field { RP_VALUE_TYPE_TYPE = 1, RP_VALUE_TYPE_UNIT = 2 };

enum rp_pprof_sample_field { RP_SAMPLE_LOCATION = 1, RP_SAMPLE_VALUE = 2, RP_SAMPLE_LABEL = 3 };

enum rp_pprof_label_field {
    RP_LABEL_KEY = 1,
    RP_LABEL_STR = 2,
    RP_LABEL_NUM = 3,
    RP_LABEL_NUM_UNIT = 4,
};

enum rp_pprof_mapping_field { RP_MAPPING_ID = 1, RP_MAPPING_FILE = 5 };

enum rp_pprof_location_field {
    RP_LOCATION_ID = 1,
    RP_LOCATION_MAPPING = 2,
    RP_LOCATION_ADDRESS = 3,
    RP_LOCATION_LINE = 4,
};

enum rp_pprof_line_field { RP_LINE_FUNCTION = 1, RP_LINE_LINE = 2 };

enum rp_pprof_function_field {
    RP_FUNCTION_ID = 1,
    RP_FUNCTION_NAME = 2,
    RP_FUNCTION_SYSTEM_NAME = 3,
    RP_FUNCTION_FILE = 4,
    RP_FUNCTION_START_LINE = 5,
};

#endif
