"""The functions that a statement may call: those that only compute.

A list of what may be, since every database has more that read files, run texts as SQL, wait, lock or reach other
servers than anybody can name; and functions that users made may do all of it.
"""

# As sqlglot calls them, in small letters; both names where it has its own.
_COMPUTING = """
abs acos asin atan atan2 cbrt ceil ceiling cos cot degrees div exp factorial floor gcd lcm ln log log10 log2 mod pi
power pow radians random rand round sign sin sqrt tan trunc truncate width_bucket
ascii bit_length btrim char char_length character_length chr concat concat_ws contains ends_with format hex initcap
instr left length levenshtein locate lower lpad ltrim md5 normalize octet_length overlay pad position printf quote
regexp_count regexp_extract regexp_i_like regexp_instr regexp_like regexp_match regexp_matches regexp_replace
regexp_split regexp_split_to_array regexp_split_to_table regexp_substr repeat replace reverse right rpad rtrim sha sha1
sha2 sha256 soundex split split_part starts_with str_position string_to_array string_to_table strpos substr substring
to_hex translate trim unhex unicode upper
age current_date current_datetime current_time current_timestamp date date_add date_bin date_diff date_from_parts
date_part date_str_to_date date_sub date_to_date_str date_trunc datediff datetime day day_of_month day_of_week
day_of_year extract from_unixtime hour isfinite julianday justify_days justify_hours justify_interval last_day
localtime localtimestamp make_date make_interval make_time make_timestamp make_timestamptz minute month now quarter
second str_to_date str_to_time str_to_unix strftime time time_add time_str_to_time time_sub time_to_str time_to_unix
timediff timestamp timestamp_add timestamp_from_parts timestamp_sub timestamp_trunc timestampdiff to_char to_date
to_number to_timestamp ts_or_di_to_di ts_or_ds_add ts_or_ds_diff ts_or_ds_to_date ts_or_ds_to_date_str
ts_or_ds_to_datetime ts_or_ds_to_time ts_or_ds_to_timestamp unix_to_str unix_to_time unixepoch week week_of_year year
and or xor case cast cast_to_str_type coalesce convert decode_case exists greatest if iff ifnull iif is_inf is_nan
isnull least nullif nvl nvl2 num_nonnulls num_nulls try_cast typeof
any_value array_agg arg_max arg_min avg bit_and bit_or bit_xor bitwise_and_agg bitwise_or_agg bitwise_xor_agg bool_and
bool_or corr count count_if covar_pop covar_samp every filter group_concat grouping json_agg json_arrayagg
json_group_array json_group_object json_object_agg jsonb_agg jsonb_object_agg j_s_o_n_array_agg j_s_o_n_object_agg
j_s_o_n_b_object_agg logical_and logical_or max median min mode percentile_cont percentile_disc quantile regr_avgx
regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy stddev stddev_pop stddev_samp
string_agg sum total var_pop var_samp variance variance_pop
cume_dist dense_rank first first_value lag last last_value lead nth_value ntile percent_rank rank row_number
array array_all array_any array_append array_cat array_concat array_contained_by array_contains array_contains_all
array_dims array_length array_lower array_ndims array_overlaps array_position array_positions array_prepend
array_remove array_replace array_size array_slice array_sort array_to_string array_upper cardinality explode
exploding_generate_series generate_series sort_array trim_array unnest
json json_array json_array_contains json_array_elements json_array_elements_text json_array_length json_build_array
json_build_object json_each json_each_text json_exists json_extract json_extract_array json_extract_path
json_extract_path_text json_extract_scalar json_format json_insert json_keys json_object json_object_keys json_patch
json_quote json_remove json_replace json_set json_strip_nulls json_tree json_type json_typeof json_valid json_value
jsonb jsonb_array_elements jsonb_array_elements_text jsonb_array_length jsonb_build_array jsonb_build_object
jsonb_contains jsonb_each jsonb_each_text jsonb_exists jsonb_extract jsonb_extract_path jsonb_extract_path_text
jsonb_extract_scalar jsonb_insert jsonb_object jsonb_object_keys jsonb_path_exists jsonb_path_query
jsonb_path_query_array jsonb_path_query_first jsonb_pretty jsonb_set jsonb_strip_nulls jsonb_typeof
j_s_o_n_array j_s_o_n_b_contains_all_top_keys j_s_o_n_b_contains_any_top_keys j_s_o_n_b_contains_top_key
j_s_o_n_b_delete_at_path j_s_o_n_b_path_exists j_s_o_n_cast j_s_o_n_exists j_s_o_n_object parse_json row_to_json
to_json to_jsonb
daterange int4range int8range isempty lower_inc lower_inf numrange range_merge tsrange tstzrange upper_inc upper_inf
phraseto_tsquery plainto_tsquery match_against numnode querytree setweight similarity strip to_tsquery to_tsvector
ts_headline ts_rank ts_rank_cd tsvector_to_array websearch_to_tsquery word_similarity
bitwise_count decode encode from_base64 get_bit get_byte gen_random_uuid set_bit to_base64 uuid
current_catalog current_database current_role current_schema current_user session_user
abbrev broadcast family host hostmask masklen netmask network
like glob
"""
ALLOWED = frozenset(_COMPUTING.split())
